// A doubly linked list whose links live in the elements: no allocation, removal in O(1) from the middle.
#pragma once

#include <cstddef>
#include <iterator>

#include <hop/base/assert.hpp>

namespace hop::base {

// Base class of an element. `Tag` lets one object stand in several lists.
template <class Tag = void>
class list_hook {
 public:
  list_hook() = default;
  list_hook(const list_hook&) = delete;
  list_hook& operator=(const list_hook&) = delete;
  ~list_hook() { HOP_DEBUG_ASSERT(!linked(), "intrusive_list: element destroyed while linked"); }
  [[nodiscard]] bool linked() const noexcept { return next_ != nullptr; }

 private:
  template <class, class>
  friend class intrusive_list;
  list_hook* prev_ = nullptr;
  list_hook* next_ = nullptr;
};

// Not thread-safe; does not own its elements. An element is in at most one list per tag: pushing it twice stops the
// process.
template <class T, class Tag = void>
class intrusive_list {
  using hook = list_hook<Tag>;

 public:
  class iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::bidirectional_iterator_tag;
    using pointer = T*;
    using reference = T&;

    iterator() = default;
    explicit iterator(hook* at) noexcept : at_(at) {}
    T& operator*() const noexcept { return *static_cast<T*>(at_); }
    T* operator->() const noexcept { return static_cast<T*>(at_); }
    iterator& operator++() noexcept { return at_ = at_->next_, *this; }
    iterator operator++(int) noexcept { return iterator{step(at_, at_->next_)}; }
    iterator& operator--() noexcept { return at_ = at_->prev_, *this; }
    iterator operator--(int) noexcept { return iterator{step(at_, at_->prev_)}; }
    bool operator==(const iterator&) const = default;

   private:
    static hook* step(hook*& at, hook* to) noexcept {
      hook* old = at;
      at = to;
      return old;
    }
    hook* at_ = nullptr;
  };

  intrusive_list() noexcept { root_.prev_ = root_.next_ = &root_; }
  intrusive_list(const intrusive_list&) = delete;
  intrusive_list& operator=(const intrusive_list&) = delete;
  ~intrusive_list() {
    HOP_DEBUG_ASSERT(empty(), "intrusive_list: destroyed with elements");
    root_.prev_ = root_.next_ = nullptr;
  }

  [[nodiscard]] bool empty() const noexcept { return root_.next_ == &root_; }
  [[nodiscard]] iterator begin() noexcept { return iterator{root_.next_}; }
  [[nodiscard]] iterator end() noexcept { return iterator{&root_}; }
  [[nodiscard]] T* front() noexcept { return empty() ? nullptr : static_cast<T*>(root_.next_); }
  [[nodiscard]] T* back() noexcept { return empty() ? nullptr : static_cast<T*>(root_.prev_); }

  void push_front(T& e) noexcept { link(e, root_.next_); }
  void push_back(T& e) noexcept { link(e, &root_); }
  void insert_before(iterator at, T& e) noexcept { link(e, &static_cast<hook&>(at == end() ? root_ : *at)); }

  // The element removed, or nullptr.
  T* pop_front() noexcept { return empty() ? nullptr : unlink(root_.next_); }
  T* pop_back() noexcept { return empty() ? nullptr : unlink(root_.prev_); }

  void remove(T& e) noexcept {
    HOP_ASSERT(static_cast<hook&>(e).linked(), "intrusive_list: remove of an element that is in no list");
    unlink(&static_cast<hook&>(e));
  }

  // Moves all of `o` behind our last element, in order, in O(1).
  void splice_back(intrusive_list& o) noexcept {
    HOP_ASSERT(this != &o, "intrusive_list: spliced into itself");
    if (o.empty()) return;
    hook* first = o.root_.next_;
    hook* last = o.root_.prev_;
    first->prev_ = root_.prev_;
    root_.prev_->next_ = first;
    last->next_ = &root_;
    root_.prev_ = last;
    o.root_.prev_ = o.root_.next_ = &o.root_;
  }

  // O(n): for tests and dumps.
  [[nodiscard]] std::size_t count() const noexcept {
    std::size_t n = 0;
    for (const hook* h = root_.next_; h != &root_; h = h->next_) ++n;
    return n;
  }

 private:
  void link(T& e, hook* before) noexcept {
    hook& h = e;
    HOP_ASSERT(!h.linked(), "intrusive_list: element is in a list already");
    h.prev_ = before->prev_;
    h.next_ = before;
    before->prev_->next_ = &h;
    before->prev_ = &h;
  }
  T* unlink(hook* h) noexcept {
    h->prev_->next_ = h->next_;
    h->next_->prev_ = h->prev_;
    h->prev_ = h->next_ = nullptr;
    return static_cast<T*>(h);
  }

  hook root_;
};

}  // namespace hop::base
