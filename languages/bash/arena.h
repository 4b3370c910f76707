// Bump allocation for the syntax tree and the texts made from it: nothing is freed before all is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace langsbx::languages::bash {

class Arena {
 public:
  // So many bytes behind whatever lies in the arena may be read.
  static constexpr std::size_t kReadable = 16;

  // Zero-initialised; T must need no destructor.
  template <typename T>
  T* make() {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlign);
    return new (allocate(sizeof(T))) T{};
  }

  // The same, `count` of them side by side.
  template <typename T>
  T* make_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlign);
    T* out = reinterpret_cast<T*>(allocate(count * sizeof(T)));
    for (std::size_t i = 0; i < count; ++i) new (out + i) T{};
    return out;
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

  // `head` and `tail` as one text. Where `head` is what was joined last, it grows in place: nothing
  // that is shorter sees the bytes behind its end.
  std::string_view join(std::string_view head, std::string_view tail) {
    if (head.empty()) return tail;
    if (tail.empty()) return head;
    if (head.data() + head.size() != next_ || tail.size() > left_) {
      const std::size_t size = head.size() + tail.size();
      if (size > left_) grow(size);
      std::memcpy(next_, head.data(), head.size());
      head = {next_, head.size()};
      advance(head.size());
    }
    std::memcpy(next_, tail.data(), tail.size());
    advance(tail.size());
    return {head.data(), head.size() + tail.size()};
  }

  // Bytes taken so far, by whole chunks.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kAlign = 8;
  static constexpr std::size_t kChunk = 32U << 10U;

  [[gnu::always_inline]] void* allocate(std::size_t size) {
    const std::size_t padding = -reinterpret_cast<std::uintptr_t>(next_) & (kAlign - 1);
    size = (size + kAlign - 1) & ~(kAlign - 1);
    if (size + padding > left_) {
      grow(size);
    } else {
      advance(padding);
    }
    void* out = next_;
    advance(size);
    return out;
  }

  void advance(std::size_t size) {
    next_ += size;
    left_ -= size;
  }

  [[gnu::noinline]] void grow(std::size_t size) {
    const std::size_t wanted = size > kChunk ? size : kChunk;
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(wanted + kReadable));
    size_ += wanted;
    next_ = chunks_.back().get();
    left_ = wanted;
  }

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t size_ = 0;
};

}  // namespace langsbx::languages::bash
