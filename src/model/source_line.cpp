#include "model/source_line.hpp"

#include <fstream>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace hop::model {

namespace {

const std::vector<std::string>& lines_of(const std::string& path) {
  static std::map<std::string, std::vector<std::string>> files;
  auto [it, fresh] = files.try_emplace(path);
  if (fresh) {
    std::ifstream in{path};
    for (std::string l; std::getline(in, l);) it->second.push_back(l);
  }
  return it->second;
}

}  // namespace

std::string file_part(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string source_line(const base::place& where) {
  const auto& lines = lines_of(where.file);
  std::string text;
  if (where.line >= 1 && static_cast<std::size_t>(where.line) <= lines.size()) {
    text = lines[static_cast<std::size_t>(where.line) - 1];
    text.erase(0, text.find_first_not_of(" \t"));
  }
  return fmt::format("{}:{} {}: {}", file_part(where.file), where.line, where.function, text);
}

}  // namespace hop::model
