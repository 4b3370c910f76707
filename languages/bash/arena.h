// Bump allocation for the syntax tree: nothing is freed before the whole tree is.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace langsbx::languages::bash {

class Arena {
 public:
  // Zero-initialised; T must need no destructor.
  template <typename T>
  T* make() {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T))) T{};
  }

  // Room for `length` bytes and a NUL behind them (written).
  char* text(std::size_t length) {
    char* out = static_cast<char*>(allocate(length + 1));
    out[length] = '\0';
    return out;
  }

  std::string_view copy(std::string_view from) {
    char* out = text(from.size());
    std::memcpy(out, from.data(), from.size());
    return {out, from.size()};
  }

 private:
  static constexpr std::size_t kAlign = 8;
  static constexpr std::size_t kChunk = 32U << 10U;

  void* allocate(std::size_t size) {
    size = (size + kAlign - 1) & ~(kAlign - 1);
    if (size > left_) grow(size);
    void* out = next_;
    next_ += size;
    left_ -= size;
    return out;
  }

  void grow(std::size_t size) {
    const std::size_t wanted = size > kChunk ? size : kChunk;
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(wanted));
    next_ = chunks_.back().get();
    left_ = wanted;
  }

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace langsbx::languages::bash
