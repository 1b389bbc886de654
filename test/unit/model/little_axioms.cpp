#include "little_axioms.hpp"

#include <algorithm>
#include <array>
#include <bitset>

#include <fmt/format.h>

namespace hop::model {

namespace {

constexpr std::size_t max_events = 16;
constexpr std::size_t none = max_events;

class relation {
 public:
  void add(std::size_t a, std::size_t b) { row_[a].set(b); }
  [[nodiscard]] bool has(std::size_t a, std::size_t b) const { return row_[a].test(b); }
  void join(const relation& o) {
    for (std::size_t i = 0; i < max_events; ++i) row_[i] |= o.row_[i];
  }
  void close() {
    for (std::size_t k = 0; k < max_events; ++k) {
      for (std::size_t i = 0; i < max_events; ++i) {
        if (row_[i].test(k)) row_[i] |= row_[k];
      }
    }
  }
  [[nodiscard]] bool reflexive_somewhere() const {
    for (std::size_t i = 0; i < max_events; ++i) {
      if (row_[i].test(i)) return true;
    }
    return false;
  }

 private:
  std::array<std::bitset<max_events>, max_events> row_{};
};

struct happening {
  instruction what;
  std::size_t thread = none;  // none: the first value of a location
  [[nodiscard]] bool first() const { return thread == none; }
  [[nodiscard]] bool fence() const { return what.what == verb::fence; }
  [[nodiscard]] bool rmw() const { return what.what == verb::exchange || what.what == verb::add; }
  [[nodiscard]] bool writes() const { return first() || rmw() || what.what == verb::store; }
  [[nodiscard]] bool reads() const { return !first() && (rmw() || what.what == verb::load); }
  [[nodiscard]] bool seq_cst() const { return !first() && what.order == std::memory_order_seq_cst; }
  [[nodiscard]] bool acquires() const {
    return !first() &&
           (seq_cst() || what.order == std::memory_order_acquire || what.order == std::memory_order_acq_rel);
  }
  [[nodiscard]] bool releases() const {
    return !first() &&
           (seq_cst() || what.order == std::memory_order_release || what.order == std::memory_order_acq_rel);
  }
};

class candidate_search {
 public:
  explicit candidate_search(const little_program& p) : program_(p) {
    for (std::uint32_t x = 0; x < little_program::locations; ++x) {
      events_.push_back({instruction{.what = verb::store, .location = x}, none});
      order_[x].push_back(x);
    }
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      for (const instruction& i : p.threads[t]) {
        if (happening{i, t}.writes()) order_[i.location].push_back(events_.size());
        events_.push_back({i, t});
      }
    }
    for (std::size_t a = 0; a < events_.size(); ++a) {
      for (std::size_t b = a + 1; b < events_.size(); ++b) {
        if (events_[b].first()) continue;
        if (events_[a].first() || events_[a].thread == events_[b].thread) before_.add(a, b);
      }
    }
  }

  std::set<std::string> run() {
    permute(0);
    return std::move(outcomes_);
  }

 private:
  // Every modification order of every location, its first value first.
  void permute(std::uint32_t x) {
    if (x == little_program::locations) {
      from_.assign(events_.size(), none);
      read(0);
      return;
    }
    auto& o = order_[x];
    std::sort(o.begin() + 1, o.end());
    do permute(x + 1);
    while (std::next_permutation(o.begin() + 1, o.end()));
  }

  // Every way to read: a read-modify-write from the one before it, a load from any.
  void read(std::size_t e) {
    if (e == events_.size()) return judge();
    if (!events_[e].reads()) return read(e + 1);
    const auto& o = order_[events_[e].what.location];
    for (std::size_t i = 0; i < o.size(); ++i) {
      if (events_[e].rmw() && (i + 1 == o.size() || o[i + 1] != e)) continue;
      from_[e] = o[i];
      read(e + 1);
    }
  }

  void judge() {
    relation rf, mo, coherence;
    for (std::size_t e = 0; e < events_.size(); ++e) {
      if (from_[e] != none) rf.add(from_[e], e);
    }
    for (const auto& o : order_) {
      for (std::size_t i = 0; i < o.size(); ++i) {
        for (std::size_t k = i + 1; k < o.size(); ++k) {
          mo.add(o[i], o[k]);
          for (std::size_t e = 0; e < events_.size(); ++e) {
            if (from_[e] == o[i] && e != o[k]) coherence.add(e, o[k]);  // it read what was later overwritten
          }
        }
      }
    }
    coherence.join(rf);
    coherence.join(mo);
    coherence.close();
    if (coherence.reflexive_somewhere()) return;

    const relation hb = happens_before();
    for (std::size_t a = 0; a < events_.size(); ++a) {
      for (std::size_t b = 0; b < events_.size(); ++b) {
        if (hb.has(a, b) && coherence.has(b, a)) return;
      }
    }
    relation all = before_;
    all.join(rf);
    all.join(mo);
    all.join(seq_cst_edges(hb, coherence));
    all.close();
    if (!all.reflexive_somewhere()) outcomes_.insert(outcome());
  }

  // Which writes are in the release sequence that `head` starts: itself and the read-modify-writes right behind it.
  [[nodiscard]] std::vector<std::size_t> release_sequence(std::size_t head) const {
    const auto& o = order_[events_[head].what.location];
    auto i = std::find(o.begin(), o.end(), head);
    std::vector<std::size_t> s{*i++};
    for (; i != o.end() && events_[*i].rmw(); ++i) s.push_back(*i);
    return s;
  }

  [[nodiscard]] relation happens_before() const {
    relation hb = before_;
    for (std::size_t w = 0; w < events_.size(); ++w) {
      if (!events_[w].writes() || events_[w].first()) continue;
      const auto sequence = release_sequence(w);
      for (std::size_t r = 0; r < events_.size(); ++r) {
        if (std::find(sequence.begin(), sequence.end(), from_[r]) == sequence.end()) continue;
        for (std::size_t a = 0; a < events_.size(); ++a) {
          const bool gives = events_[a].releases() && (a == w || (events_[a].fence() && in_thread_before(a, w)));
          for (std::size_t b = 0; gives && b < events_.size(); ++b) {
            if (events_[b].acquires() && (b == r || (events_[b].fence() && in_thread_before(r, b)))) hb.add(a, b);
          }
        }
      }
    }
    hb.close();
    return hb;
  }

  [[nodiscard]] bool in_thread_before(std::size_t a, std::size_t b) const {
    return events_[a].thread == events_[b].thread && a < b;
  }

  // [atomics.order] 4: the four rules for the single order of seq_cst operations.
  [[nodiscard]] relation seq_cst_edges(const relation& hb, const relation& coherence) const {
    relation s;
    for (std::size_t a = 0; a < events_.size(); ++a) {
      for (std::size_t b = 0; b < events_.size(); ++b) {
        if (!coherence.has(a, b)) continue;
        for (std::size_t x = 0; x < events_.size(); ++x) {
          const bool source = events_[x].seq_cst() && (events_[x].fence() ? hb.has(x, a) : x == a);
          for (std::size_t y = 0; source && y < events_.size(); ++y) {
            if (events_[y].seq_cst() && (events_[y].fence() ? hb.has(b, y) : y == b)) s.add(x, y);
          }
        }
      }
    }
    return s;
  }

  [[nodiscard]] std::uint32_t value_of(std::size_t w) const {
    if (events_[w].first()) return 0;
    return events_[w].what.value + (events_[w].what.what == verb::add ? value_of(from_[w]) : 0);
  }

  [[nodiscard]] std::string outcome() const {
    std::string all;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      all += fmt::format("t{}:", t);
      for (std::size_t e = 0; e < events_.size(); ++e) {
        if (events_[e].thread == t && events_[e].reads()) all += fmt::format(" {}", value_of(from_[e]));
      }
      all += " | ";
    }
    for (const auto& o : order_) all += fmt::format("{} ", value_of(o.back()));
    return all;
  }

  const little_program& program_;
  std::vector<happening> events_;
  std::array<std::vector<std::size_t>, little_program::locations> order_;  // modification order
  std::vector<std::size_t> from_;                                          // of a read: the write
  relation before_;                                                        // sequenced before; first values before all
  std::set<std::string> outcomes_;
};

}  // namespace

std::set<std::string> outcomes_by_axioms(const little_program& p) { return candidate_search{p}.run(); }

}  // namespace hop::model
