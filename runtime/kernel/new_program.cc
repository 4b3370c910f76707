#include "runtime/kernel/new_program.h"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

namespace langsbx {

Result<void> die_with_parent(int signal, pid_t parent) {
  if (::prctl(PR_SET_PDEATHSIG, signal) != 0) return system_error("prctl PR_SET_PDEATHSIG");
  if (::getppid() != parent) return system_error("the parent has ended", ESRCH);
  return {};
}

Result<void> enter_namespace(int descriptor, int type) {
  if (::setns(descriptor, type) != 0) return system_error("setns");
  return {};
}

Result<void> clear_ambient_capabilities() {
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) {
    return system_error("prctl PR_CAP_AMBIENT_CLEAR_ALL");
  }
  return {};
}

Error execute_program(const std::string& path, std::vector<std::string> words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(path.c_str(), argv.data());
  return system_error("execute " + path);
}

}  // namespace langsbx
