#include "model/memory.hpp"

namespace hop::model {

namespace {

bool acquires(std::memory_order o) {
  return o == std::memory_order_acquire || o == std::memory_order_consume || o == std::memory_order_acq_rel ||
         o == std::memory_order_seq_cst;
}
bool releases(std::memory_order o) {
  return o == std::memory_order_release || o == std::memory_order_acq_rel || o == std::memory_order_seq_cst;
}

std::vector<word>& static_values() {
  static std::vector<word> values;
  return values;
}

}  // namespace

location_id add_static_location(word initial) {
  static_values().push_back(initial);
  return static_cast<location_id>(static_values().size() - 1);
}

memory::memory() {
  for (word v : static_values()) add(v, 0, {});
}

location_id memory::add(word initial, thread_index by, const view_of_thread& view) {
  location l;
  // The first value is no atomic store: it carries nothing. Publishing the object is what makes it known.
  l.stores.push_back({initial, by, {}});
  locations_.push_back(std::move(l));
  static_cast<void>(view);
  return static_cast<location_id>(locations_.size() - 1);
}

std::uint32_t memory::oldest_readable(location_id x, const view_of_thread& v, std::memory_order o) const {
  std::uint32_t oldest = v.current.seen.at(x);
  if (o == std::memory_order_seq_cst) oldest = std::max(oldest, seq_cst_.at(x));
  return oldest;
}

void memory::read(location_id x, std::uint32_t index, view_of_thread& v, std::memory_order o) {
  const store_record& s = locations_[x].stores[index];
  v.current.seen.raise(x, index);
  v.read_relaxed.join(s.carried);
  if (acquires(o)) v.current.join(s.carried);
  if (o == std::memory_order_seq_cst) seq_cst_.raise(x, index);
}

void memory::write(location_id x, word value, thread_index by, view_of_thread& v, std::memory_order o,
                   const store_record* continues) {
  const auto index = static_cast<std::uint32_t>(locations_[x].stores.size());
  v.current.seen.raise(x, index);
  store_record s{value, by, releases(o) ? v.current : v.at_release_fence};
  s.carried.seen.raise(x, index);
  if (continues != nullptr) s.carried.join(continues->carried);
  locations_[x].stores.push_back(std::move(s));
  if (o == std::memory_order_seq_cst) seq_cst_.raise(x, index);
}

void memory::fence(view_of_thread& v, std::memory_order o) {
  if (acquires(o)) v.current.join(v.read_relaxed);
  if (o == std::memory_order_seq_cst) {
    v.current.seen.join(seq_cst_);
    seq_cst_.join(v.current.seen);
  }
  if (releases(o)) v.at_release_fence = v.current;
}

}  // namespace hop::model
