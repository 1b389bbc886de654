// Defects planted by the checker: by name in the product's code (HOP_MUTANT), or by weakening the order at one place.
#pragma once

#include <atomic>
#include <string>

#include <hop/base/place.hpp>

#include "model/operation.hpp"

namespace hop::model {

// One place with an order stronger than relaxed. `function` and `nth` name it in tables: lines move, functions seldom do.
struct order_site {
  std::string file;
  int line = 0;
  std::string function;
  op_kind kind{};
  std::memory_order order{};
  auto operator<=>(const order_site&) const = default;
};

struct mutant {
  std::string name;      // shown in the table
  bool by_code = false;  // HOP_MUTANT(name), else a weakened order
  order_site site{};
  std::memory_order weaker{};
};

[[nodiscard]] bool mutant_planted(const char* name);

// The order to use at `where`: the one written, or the weaker one of the planted mutant. Records the site.
[[nodiscard]] std::memory_order effective_order(op_kind kind, std::memory_order written, const base::place& where);

}  // namespace hop::model
