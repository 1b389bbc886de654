// atomic<T>: std::atomic in the product, a choice point in the model checker. The order is always written at the call,
// with its partner and its promise: those say what happens-before what.
#pragma once

#include <atomic>

#include <hop/base/cache_line.hpp>

#if HOP_MODEL
#include "model/atomic.hpp"
#endif

namespace hop::base {

#if HOP_MODEL
template <class T>
using atomic = model::atomic<T>;
#else
template <class T>
using atomic = std::atomic<T>;
#endif

}  // namespace hop::base
