// A short list of texts, none of them owned: what a word can stand for.
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <string_view>

namespace langsbx::languages::bash {

class Texts {
 public:
  static constexpr std::size_t kMost = 40;

  Texts() = default;
  explicit Texts(std::string_view text) { push(text); }
  Texts(const Texts& other) { append(other); }
  Texts& operator=(const Texts& other) {
    if (this == &other) return *this;
    size_ = 0;
    append(other);
    return *this;
  }
  ~Texts() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::string_view* begin() { return items(); }
  [[nodiscard]] std::string_view* end() { return items() + size_; }
  [[nodiscard]] const std::string_view* begin() const { return items(); }
  [[nodiscard]] const std::string_view* end() const { return items() + size_; }
  [[nodiscard]] std::string_view& operator[](std::size_t i) { return items()[i]; }
  [[nodiscard]] std::string_view operator[](std::size_t i) const { return items()[i]; }

  void clear() { size_ = 0; }
  // Those who add see to it that there are never more than kMost.
  void push(std::string_view text) {
    if (size_ < kMost) new (items() + size_++) std::string_view(text);
  }

 private:
  void append(const Texts& other) {
    for (const std::string_view text : other) push(text);
  }
  [[nodiscard]] std::string_view* items() {
    return std::launder(reinterpret_cast<std::string_view*>(room_.data()));
  }
  [[nodiscard]] const std::string_view* items() const {
    return std::launder(reinterpret_cast<const std::string_view*>(room_.data()));
  }

  std::size_t size_ = 0;
  // Not initialised: most lists hold one text.
  alignas(std::string_view) std::array<std::byte, kMost * sizeof(std::string_view)> room_;
};

}  // namespace langsbx::languages::bash
