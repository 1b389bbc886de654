#include "model/mutants.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/piece.hpp"
#include "model/source_line.hpp"

namespace hop::model {

namespace {

const mutant* planted_now = nullptr;
std::set<order_site>* recording = nullptr;

std::vector<std::memory_order> weaker_than(op_kind kind, std::memory_order o) {
  using enum std::memory_order;
  switch (o) {
    case seq_cst:
      if (kind == op_kind::load || kind == op_kind::cas_failure) return {acquire, relaxed};
      if (kind == op_kind::store) return {release, relaxed};
      return {acq_rel, relaxed};
    case acq_rel:
      return {acquire, release};
    case acquire:
    case release:
      return {relaxed};
    default:
      return {};
  }
}

}  // namespace

void plant(const mutant* m) { planted_now = m; }

bool mutant_planted(const char* name) {
  return planted_now != nullptr && planted_now->by_code && planted_now->name == name;
}

std::memory_order effective_order(op_kind kind, std::memory_order written, const base::place& where) {
  if (recording != nullptr && written != std::memory_order_relaxed)
    recording->insert({where.file, where.line, where.function, kind, written});
  if (planted_now == nullptr || planted_now->by_code) return written;
  const order_site& s = planted_now->site;
  const bool here = s.line == where.line && s.kind == kind && s.order == written && s.file == where.file;
  return here ? planted_now->weaker : written;
}

std::vector<mutant> mutants_of(const piece& p, std::uint64_t seed) {
  std::vector<mutant> all;
  for (const std::string& name : p.code_mutants) all.push_back({.name = name, .by_code = true});
  if (p.weaken_in.empty()) return all;

  std::set<order_site> sites;
  recording = &sites;
  search_piece(p, nullptr, seed);
  recording = nullptr;

  std::map<std::string, int> seen;  // two alike in one function are told apart by their order in the file
  for (const order_site& s : sites) {
    const std::string file = file_part(s.file);
    if (std::find(p.weaken_in.begin(), p.weaken_in.end(), file) == p.weaken_in.end()) continue;
    for (std::memory_order w : weaker_than(s.kind, s.order)) {
      std::string name =
          fmt::format("{}: {} {} -> {}", s.function, to_string(s.kind), to_string(s.order), to_string(w));
      if (const int n = ++seen[name]; n > 1) name += fmt::format(" #{}", n);
      all.push_back({.name = std::move(name), .site = s, .weaker = w});
    }
  }
  return all;
}

}  // namespace hop::model
