// Stacks for the modelled threads, kept from run to run. An abandoned stack is not unwound: a finding ends the search.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace hop::model {

struct model_stack {
  boost::context::detail::fcontext_t context = nullptr;
  std::unique_ptr<std::byte[]> memory;
};

inline constexpr std::size_t model_stack_bytes = 256 * 1024;

class stack_store {
 public:
  static std::unique_ptr<std::byte[]> take() {
    auto& free = shelf();
    if (free.empty()) return std::unique_ptr<std::byte[]>(new std::byte[model_stack_bytes]);
    auto s = std::move(free.back());
    free.pop_back();
    return s;
  }
  static void give(std::unique_ptr<std::byte[]> s) { shelf().push_back(std::move(s)); }

 private:
  static std::vector<std::unique_ptr<std::byte[]>>& shelf() {
    static std::vector<std::unique_ptr<std::byte[]>> free;
    return free;
  }
};

}  // namespace hop::model
