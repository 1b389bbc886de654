// std::atomic's interface over the checker's memory. Each operation is a choice point.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <hop/base/place.hpp>

#include "model/knowledge.hpp"

namespace hop::model {

using word = std::uint64_t;

location_id new_location(word initial);
word load_word(location_id x, std::memory_order o, const base::place& where);
void store_word(location_id x, word v, std::memory_order o, const base::place& where);

// Reads the newest value and replaces it by `next(old)` in one step.
using rmw_function = word (*)(word old, word operand);
word rmw_word(location_id x, rmw_function next, word operand, std::memory_order o, const base::place& where);
bool cas_word(location_id x, word& expected, word desired, bool weak, std::memory_order ok, std::memory_order fail,
              const base::place& where);

void fence(std::memory_order o, const base::place& where);
inline void fence_seq_cst(base::place w = base::place::here()) { fence(std::memory_order_seq_cst, w); }
inline void fence_acquire(base::place w = base::place::here()) { fence(std::memory_order_acquire, w); }
inline void fence_release(base::place w = base::place::here()) { fence(std::memory_order_release, w); }

template <class T>
class atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(word),
                "the model's atomics hold up to eight bytes");
  using order = std::memory_order;
  using place = base::place;

 public:
  static constexpr bool is_always_lock_free = true;

  atomic() : atomic(T{}) {}
  atomic(T v) : id_(new_location(pack(v))) {}  // NOLINT: implicit, as std::atomic
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(order o, place w = place::here()) const { return unpack(load_word(id_, o, w)); }
  void store(T v, order o, place w = place::here()) { store_word(id_, pack(v), o, w); }
  T exchange(T v, order o, place w = place::here()) {
    return unpack(rmw_word(
        id_, [](word, word d) { return d; }, pack(v), o, w));
  }
  bool compare_exchange_strong(T& e, T d, order ok, order fail, place w = place::here()) {
    return cas(e, d, false, ok, fail, w);
  }
  bool compare_exchange_strong(T& e, T d, order o, place w = place::here()) {
    return cas(e, d, false, o, failure(o), w);
  }
  bool compare_exchange_weak(T& e, T d, order ok, order fail, place w = place::here()) {
    return cas(e, d, true, ok, fail, w);
  }
  bool compare_exchange_weak(T& e, T d, order o, place w = place::here()) { return cas(e, d, true, o, failure(o), w); }

  T fetch_add(T v, order o, place w = place::here()) requires std::is_integral_v<T> {
    return unpack(rmw_word(
        id_, [](word a, word b) { return pack(static_cast<T>(unpack(a) + unpack(b))); }, pack(v), o, w));
  }
  T fetch_sub(T v, order o, place w = place::here()) requires std::is_integral_v<T> {
    return unpack(rmw_word(
        id_, [](word a, word b) { return pack(static_cast<T>(unpack(a) - unpack(b))); }, pack(v), o, w));
  }
  T fetch_or(T v, order o, place w = place::here()) requires std::is_integral_v<T> {
    return unpack(rmw_word(
        id_, [](word a, word b) { return a | b; }, pack(v), o, w));
  }
  T fetch_and(T v, order o, place w = place::here()) requires std::is_integral_v<T> {
    return unpack(rmw_word(
        id_, [](word a, word b) { return a & b; }, pack(v), o, w));
  }
  T fetch_xor(T v, order o, place w = place::here()) requires std::is_integral_v<T> {
    return unpack(rmw_word(
        id_, [](word a, word b) { return a ^ b; }, pack(v), o, w));
  }

  [[nodiscard]] location_id id() const { return id_; }

 private:
  static constexpr order failure(order o) {
    if (o == std::memory_order_acq_rel) return std::memory_order_acquire;
    return o == std::memory_order_release ? std::memory_order_relaxed : o;
  }
  static word pack(T v) {
    word x = 0;
    std::memcpy(&x, &v, sizeof v);
    return x;
  }
  static T unpack(word x) {
    T v{};
    std::memcpy(&v, &x, sizeof v);
    return v;
  }
  bool cas(T& e, T d, bool weak, order ok, order fail, const place& w) {
    word expected = pack(e);
    if (cas_word(id_, expected, pack(d), weak, ok, fail, w)) return true;
    e = unpack(expected);
    return false;
  }

  location_id id_;
};

}  // namespace hop::model
