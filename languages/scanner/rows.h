// Plain values in a row; what a vector is, without its costs for one more.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

namespace langsbx::languages::scanner {

template <typename Value>
class Rows {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  Rows() = default;
  Rows(Rows&& other) noexcept
      : begin_(std::exchange(other.begin_, nullptr)),
        end_(std::exchange(other.end_, nullptr)),
        limit_(std::exchange(other.limit_, nullptr)) {}
  Rows& operator=(Rows&& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
    std::swap(limit_, other.limit_);
    return *this;
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows() { std::free(begin_); }

  [[gnu::noinline]] void reserve(std::size_t count) {
    const std::size_t used = size();
    if (count <= static_cast<std::size_t>(limit_ - begin_)) return;
    auto* const moved = static_cast<Value*>(std::malloc(count * sizeof(Value)));
    if (moved == nullptr) std::abort();  // as operator new without exceptions
    if (used > 0) std::memcpy(moved, begin_, used * sizeof(Value));
    std::free(begin_);
    begin_ = moved;
    end_ = moved + used;
    limit_ = moved + count;
  }
  Value& push(const Value& value) {
    if (end_ == limit_) [[unlikely]] {
      reserve(size() * 2 + 64);
    }
    *end_ = value;
    return *end_++;
  }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  [[nodiscard]] bool empty() const { return end_ == begin_; }
  [[nodiscard]] const Value& operator[](std::size_t index) const { return begin_[index]; }
  [[nodiscard]] Value& operator[](std::size_t index) { return begin_[index]; }
  [[nodiscard]] const Value& front() const { return *begin_; }
  [[nodiscard]] const Value& back() const { return end_[-1]; }
  [[nodiscard]] const Value* begin() const { return begin_; }
  [[nodiscard]] const Value* end() const { return end_; }

 private:
  Value* begin_ = nullptr;
  Value* end_ = nullptr;
  Value* limit_ = nullptr;
};

}  // namespace langsbx::languages::scanner
