// A place where objects lie one behind the other, with nothing between them.
#pragma once

#include <cstddef>

namespace langsbx::cmd {

class Room {
 public:
  // Larger ones are few, and worth to be given out again.
  static constexpr std::size_t kLargest = 8192;

  constexpr Room() = default;  // no place: takes nothing
  // `begin`: aligned for everything.
  Room(char* begin, std::size_t size) : next_(begin), end_(begin + size) {}

  // Null: not here.
  [[nodiscard]] void* take(std::size_t size) noexcept {
    if (size > kLargest || rounded(size) > static_cast<std::size_t>(end_ - next_)) return nullptr;
    char* const taken = next_;
    next_ += rounded(size);
    return taken;
  }

  // The place of the last one is the next one's; the others' stay as they are, unwritten.
  void give_back(void* taken, std::size_t size) noexcept {
    if (size <= kLargest && static_cast<char*>(taken) + rounded(size) == next_) {
      next_ = static_cast<char*>(taken);
    }
  }

 private:
  static constexpr std::size_t kAlignment = alignof(std::max_align_t);

  static constexpr std::size_t rounded(std::size_t size) {
    return size == 0 ? kAlignment : (size + kAlignment - 1) / kAlignment * kAlignment;
  }

  char* next_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace langsbx::cmd
