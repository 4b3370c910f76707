// Runs a test's body in a child process, for what can't be undone (filters, domains, identities).
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "runtime/base/result.h"

namespace langsbx::test {

// What the body reports is what EXPECT_EQ("", in_child(...)) prints: empty means all was well.
// "signal 31" when a signal ended it.
template <typename Body>
std::string in_child(Body body) {
  int pipe_ends[2] = {-1, -1};
  if (::pipe(pipe_ends) != 0) return "pipe failed";
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) return "fork failed";
  if (pid == 0) {
    ::close(pipe_ends[0]);
    const std::string report = body();
    // A body that has loaded a filter may not be able to write; then its exit status has to do.
    const bool told = report.empty() || ::write(pipe_ends[1], report.data(), report.size()) > 0;
    ::_exit(report.empty() ? 0 : (told ? 1 : 2));
  }
  ::close(pipe_ends[1]);
  std::string report;
  char buffer[4096];
  ssize_t count = 0;
  while ((count = ::read(pipe_ends[0], buffer, sizeof(buffer))) > 0) {
    report.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (WIFSIGNALED(status)) return report + "signal " + std::to_string(WTERMSIG(status));
  if (report.empty() && WEXITSTATUS(status) != 0) {
    return "exit " + std::to_string(WEXITSTATUS(status));
  }
  return report;
}

// For bodies: `if (auto e = failed(apply(...)); !e.empty()) return e;`
template <typename T>
std::string failed(const Result<T>& result) {
  return result.ok() ? std::string{} : "failed: " + result.error().to_string();
}

}  // namespace langsbx::test
