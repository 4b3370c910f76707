// Builds and prints errors.
#include "runtime/base/error.h"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <utility>

namespace langsbx {

Error Error::with_context(std::string_view context) && {
  std::string joined;
  joined.reserve(context.size() + 2 + message.size());
  joined.append(context).append(": ").append(message);
  message = std::move(joined);
  return std::move(*this);
}

std::string Error::to_string() const {
  if (errno_value == 0) return message;
  return message + ": " + errno_text(errno_value);
}

Error make_error(ErrorKind kind, std::string message) {
  return Error{.kind = kind, .errno_value = 0, .message = std::move(message)};
}

Error system_error(std::string what) { return system_error(std::move(what), errno); }

Error system_error(std::string what, int errno_value) {
  return Error{.kind = ErrorKind::kSystem, .errno_value = errno_value, .message = std::move(what)};
}

std::string errno_text(int errno_value) {
  const char* description = strerrordesc_np(errno_value);
  if (description == nullptr) return "errno " + std::to_string(errno_value);
  std::string text = description;
  if (!text.empty()) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  }
  return text;
}

}  // namespace langsbx
