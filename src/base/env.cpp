#include <hop/base/env.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace hop::base {

namespace {

std::optional<std::string_view> lookup(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return std::string_view{text};
}

[[noreturn]] void refuse(const char* name, std::string_view value, const std::string& allowed) {
  std::fprintf(stderr, "hopsack: %s='%.*s' is not allowed; allowed: %s\n", name, static_cast<int>(value.size()),
               value.data(), allowed.c_str());
  std::fflush(stderr);
  std::_Exit(2);  // before anything has started; no destructor of the caller may wait for a runtime that never was
}

std::optional<unsigned> shift_of(std::string_view suffix) {
  if (suffix.empty()) return 0;
  if (suffix.size() > 1) return std::nullopt;
  switch (suffix[0]) {
    case 'k':
    case 'K':
      return 10;
    case 'm':
    case 'M':
      return 20;
    case 'g':
    case 'G':
      return 30;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::uint64_t> env_size(const char* name, env_range allowed) {
  const auto text = lookup(name);
  if (!text) return std::nullopt;
  std::uint64_t n = 0;
  const auto [end, bad] = std::from_chars(text->data(), text->data() + text->size(), n);
  const auto shift = shift_of(text->substr(static_cast<std::size_t>(end - text->data())));
  const bool fits = bad == std::errc{} && shift && (n << *shift) >> *shift == n;
  if (fits && (n << *shift) >= allowed.least && (n << *shift) <= allowed.most) return n << *shift;
  refuse(name, *text,
         "a whole number from " + std::to_string(allowed.least) + " to " + std::to_string(allowed.most) +
             ", suffixes k, m, g");
}

std::optional<std::size_t> env_choice(const char* name, std::initializer_list<std::string_view> words) {
  const auto text = lookup(name);
  if (!text) return std::nullopt;
  std::string allowed;
  std::size_t index = 0;
  for (std::string_view w : words) {
    if (w == *text) return index;
    if (index++ != 0) allowed += ", ";
    allowed += w;
  }
  refuse(name, *text, allowed);
}

bool env_flag(const char* name, bool fallback) {
  const auto index = env_choice(name, {"0", "off", "no", "false", "1", "on", "yes", "true"});
  return index ? *index >= 4 : fallback;
}

}  // namespace hop::base
