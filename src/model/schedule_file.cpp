#include "model/schedule_file.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

namespace hop::model {

namespace {

constexpr const char* first_line = "hop model schedule 1";

// Digits and nothing else: a stream would take "-1" for a large number.
template <class T>
bool number(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

bool take(schedule& s, const std::string& key, const std::string& value) {
  if (key == "piece") return s.piece = value, !value.empty();
  if (key == "mutant") return s.mutant = value, true;
  if (key == "seed") return number(value, s.seed);
  if (key != "choices") return false;
  std::istringstream words{value};
  for (std::string word; words >> word;) {
    std::uint32_t c = 0;
    if (!number(word, c)) return false;
    s.choices.push_back(c);
  }
  return true;
}

}  // namespace

bool write_schedule(const std::string& path, const schedule& s, std::string& problem) {
  std::ofstream out{path};
  out << first_line << "\npiece " << s.piece << "\nmutant " << s.mutant << "\nseed " << s.seed << "\nchoices";
  for (std::uint32_t c : s.choices) out << ' ' << c;
  out << '\n';
  if (!out.flush()) {
    problem = "cannot write " + path;
    return false;
  }
  return true;
}

bool read_schedule(const std::string& path, schedule& s, std::string& problem) {
  std::ifstream in{path};
  std::string line;
  if (!in || !std::getline(in, line) || line != first_line) {
    problem = path + (in.is_open() ? " is no schedule: its first line is not '" + std::string{first_line} + "'"
                                   : " cannot be read");
    return false;
  }
  schedule found;
  std::set<std::string> keys;
  for (int number = 2; std::getline(in, line); ++number) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string key = line.substr(0, space), value = line.substr(std::min(space + 1, line.size()));
    if (!take(found, key, value) || !keys.insert(key).second) {
      problem = path + ":" + std::to_string(number) + ": '" + line.substr(0, 60) +
                "' is not piece, mutant, seed or choices with its value, each once";
      return false;
    }
  }
  if (!keys.contains("piece") || !keys.contains("choices")) {
    problem = path + " names no " + (keys.contains("piece") ? "choices" : "piece");
    return false;
  }
  s = std::move(found);
  return true;
}

}  // namespace hop::model
