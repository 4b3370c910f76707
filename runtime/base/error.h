// The one error value of the project: what kind, which errno, where, and the chain of contexts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace langsbx {

enum class ErrorKind : std::uint8_t {
  kInvalidInput,  // config, command line, profile: the caller's fault; message names file and field
  kNotFound,      // a container, file or program that should be there is not
  kAlreadyExists,  // an id or path that must be free is taken
  kWrongState,     // the operation does not fit the container's status
  kSystem,         // a system call failed; errno_value says how
  kUnsupported,    // this kernel or build cannot do what was asked
  kRefused,        // the language guard refused the program
  kExec,           // the program could not be started
  kExecve,         // execve refused it: "exec PATH: why", and on a further line what explains that
  kTimeout,        // a deadline passed
  kInternal,       // a broken invariant of our own
};

// Contexts are prepended as the error travels up ("mount /proc: open_tree: ..."), so the text reads
// from the general to the particular and no link of the chain is lost.
struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  int errno_value = 0;
  std::string message;

  // "context: message"
  [[nodiscard, gnu::cold]] Error with_context(std::string_view context) &&;
  // The message, with ": <strerror in lower case>" behind it when errno_value is set. Lower case
  // because Docker and Podman match "permission denied" and "no such file or directory".
  [[nodiscard]] std::string to_string() const;
};

// Cold, like all that only a failure calls: the compiler puts what leads there out of the way of
// what an ordinary launch executes.
[[nodiscard, gnu::cold]] Error make_error(ErrorKind kind, std::string message);
// Takes errno at once; `what` names the system call and its object ("openat2 /etc/passwd").
[[nodiscard, gnu::cold]] Error system_error(std::string what);
[[nodiscard, gnu::cold]] Error system_error(std::string what, int errno_value);
// strerror with a lower-case first letter, as Go prints errors.
[[nodiscard]] std::string errno_text(int errno_value);

}  // namespace langsbx
