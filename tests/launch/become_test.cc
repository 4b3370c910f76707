// The last steps before execve that a process can look at itself.
#include "runtime/launch/become.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/in_child.h"

namespace langsbx::runtime {
namespace {

// Whatever the commands before it did: the program has what is preserved by number, and no more.
TEST(Become, OnlyWhatIsPreservedPassesExecve) {
  EXPECT_EQ("", test::in_child([]() -> std::string {
              for (const int fd : {7, 8, 9}) ::dup2(0, fd);
              plan::ProgramPlan program;
              program.preserved_fds = {8};
              auto confined = confine_program({}, program, -1, -1);
              if (!confined.ok()) return confined.error().to_string();
              const auto closes = [](int fd) { return (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0; };
              return closes(7) && !closes(8) && closes(9) ? "" : "wrong";
            }));
}

}  // namespace
}  // namespace langsbx::runtime
