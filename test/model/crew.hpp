// crew: starts modelled threads and joins them all, for short pieces.
#pragma once

#include <vector>

#include <hop/base/thread.hpp>

#include "model/piece.hpp"

namespace hop::model {

class crew {
 public:
  crew() = default;
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() { join(); }
  template <class F>
  crew& add(const char* name, F body) {
    threads_.push_back(base::thread::start(name, std::move(body)).value());
    return *this;
  }
  void join() {
    for (base::thread& t : threads_) t.join();
    threads_.clear();
  }

 private:
  std::vector<base::thread> threads_;
};

}  // namespace hop::model
