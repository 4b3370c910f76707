// What is written to readers that do not read.
#include "runtime/kernel/outlet.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: posix_openpt is not in <cstdlib>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/in_child.h"

namespace langsbx {
namespace {

struct Ends {
  UniqueFd read_end, write_end;
};

Ends make_ends(bool socket) {
  int fds[2] = {-1, -1};
  if (socket) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
  } else {
    EXPECT_EQ(::pipe(fds), 0);
  }
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

// Raw: bytes come out as they went in.
Ends make_terminal() {
  UniqueFd master(::posix_openpt(O_RDWR | O_NOCTTY));
  EXPECT_EQ(::unlockpt(master.get()), 0);
  UniqueFd theirs(::ioctl(master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY));
  termios settings{};
  EXPECT_EQ(::tcgetattr(theirs.get(), &settings), 0);
  ::cfmakeraw(&settings);
  EXPECT_EQ(::tcsetattr(theirs.get(), TCSANOW, &settings), 0);
  return {std::move(master), std::move(theirs)};
}

std::string numbers() {
  std::string text;
  for (int i = 0; text.size() < 300000; ++i) text += std::to_string(i) + "\n";
  return text;
}

// Fills it without a reader, which must not hold us; then reads, and everything has come.
void holds_nobody(const Ends& ends) {
  ::alarm(20);  // a write that waits would do so for ever
  const std::string text = numbers();
  Outlet outlet(ends.write_end.get());
  outlet.add(text);
  ASSERT_TRUE(outlet.flush().ok());
  ASSERT_TRUE(outlet.flush().ok());
  EXPECT_GT(outlet.pending(), 0U);
  EXPECT_LT(outlet.pending(), text.size());
  EXPECT_EQ(::fcntl(ends.write_end.get(), F_GETFL) & O_NONBLOCK, 0) << "is shared with others";
  std::string got;
  while (got.size() < text.size()) {
    char buffer[5000];
    const ssize_t count = ::read(ends.read_end.get(), buffer, sizeof buffer);
    ASSERT_GT(count, 0);
    got.append(buffer, static_cast<std::size_t>(count));
    ASSERT_TRUE(outlet.flush().ok());
  }
  EXPECT_EQ(got, text);
  EXPECT_EQ(outlet.pending(), 0U);
  EXPECT_LT(outlet.polled().fd, 0);
  ::alarm(0);
}

TEST(Outlet, APipeHoldsNobody) { holds_nobody(make_ends(false)); }
TEST(Outlet, ASocketHoldsNobody) { holds_nobody(make_ends(true)); }
TEST(Outlet, ATerminalHoldsNobody) { holds_nobody(make_terminal()); }

TEST(Outlet, ATerminalsMasterIsNotOpenedAnew) {
  auto ends = make_terminal();
  std::swap(ends.read_end, ends.write_end);
  Outlet outlet(ends.write_end.get());
  outlet.add("word\n");
  ASSERT_TRUE(outlet.flush().ok());
  char buffer[16];
  ASSERT_EQ(::read(ends.read_end.get(), buffer, sizeof buffer), 5);
  EXPECT_EQ(std::string_view(buffer, 5), "word\n");
}

TEST(Outlet, TellsThatNobodyReadsAnyMore) {
  EXPECT_EQ("", test::in_child([]() -> std::string {
              ::signal(SIGPIPE, SIG_IGN);
              for (const bool socket : {false, true}) {
                auto ends = make_ends(socket);
                ends.read_end.reset();
                Outlet outlet(ends.write_end.get());
                outlet.add("text");
                const auto flushed = outlet.flush();
                if (flushed.ok() || flushed.error().errno_value != EPIPE) return "wrong";
              }
              return "";
            }));
}

// Whoever has SIGTERM blocked has a program in its charge.
TEST(WriteOut, GivesUpWhereNoSignalCouldEndUs) {
  EXPECT_EQ("", test::in_child([]() -> std::string {
              ::alarm(20);
              sigset_t set;
              sigemptyset(&set);
              sigaddset(&set, SIGTERM);
              ::sigprocmask(SIG_BLOCK, &set, nullptr);
              const auto ends = make_ends(false);
              const auto written = write_out(ends.write_end.get(), numbers(), "stdout");
              if (written.ok()) return "all of it";
              return written.error().to_string() == "write stdout: nobody reads it" ? "" : "wrong";
            }));
}

}  // namespace
}  // namespace langsbx
