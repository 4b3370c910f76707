// Result<T>: a value or an Error; TRY unwraps it or returns the error to the caller.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "runtime/base/error.h"

namespace langsbx {

template <typename T>
class [[nodiscard]] Result {
 public:
  using ValueType = T;
  Result(T&& value) : state_(std::in_place_index<0>, std::move(value)) {}    // NOLINT: implicit
  Result(const T& value) : state_(std::in_place_index<0>, value) {}          // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & { return *std::get_if<0>(&state_); }
  [[nodiscard]] const T& value() const& { return *std::get_if<0>(&state_); }
  T release_value() { return std::move(*std::get_if<0>(&state_)); }
  [[nodiscard]] T value_or(T fallback) && { return ok() ? release_value() : std::move(fallback); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  [[nodiscard]] Error& error() & { return *std::get_if<1>(&state_); }
  [[nodiscard]] const Error& error() const& { return *std::get_if<1>(&state_); }
  [[nodiscard, gnu::cold, gnu::noinline]] Error release_error() {
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using ValueType = void;
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  void release_value() {}
  [[nodiscard]] Error& error() & { return *error_; }
  [[nodiscard]] const Error& error() const& { return *error_; }
  [[nodiscard, gnu::cold, gnu::noinline]] Error release_error() { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace langsbx

// `auto fd = TRY(open_directory(path));`  returns the error from the enclosing function, or gives
// the value. __extension__ silences -Wpedantic about the statement expression; the counter keeps
// nested uses from shadowing each other.
#define TRY(expression) LANGSBX_TRY_NAMED(expression, __COUNTER__, )

// The same, with a context put before the error's message.
#define TRY_CONTEXT(expression, context) \
  LANGSBX_TRY_NAMED(expression, __COUNTER__, .with_context(context))

#define LANGSBX_TRY_NAMED(expression, counter, decorate) \
  LANGSBX_TRY_UNIQUE(expression, counter, decorate)
#define LANGSBX_TRY_UNIQUE(expression, counter, decorate)   \
  __extension__({                                           \
    auto try_result_##counter = (expression);               \
    if (!try_result_##counter.ok()) [[unlikely]]            \
      return try_result_##counter.release_error() decorate; \
    try_result_##counter.release_value();                   \
  })
