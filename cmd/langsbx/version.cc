// What --version prints.
#include "cmd/langsbx/version.h"

#include <seccomp.h>

#include "langsbx_version.h"

namespace langsbx::cmd {

std::string_view program_version() { return LANGSBX_VERSION; }
std::string_view program_commit() { return LANGSBX_COMMIT; }

std::string libseccomp_version() {
  const scmp_version* const version = ::seccomp_version();
  if (version == nullptr) return "unknown";
  return std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->micro);
}

std::string version_text(std::string_view program) {
  std::string text = std::string(program) + " version " + std::string(program_version()) +
                     "\ncommit: " + std::string(program_commit()) +
                     "\nspec: " + std::string(kSpecVersion) +
                     "\nlibseccomp: " + libseccomp_version() + "\n";
  // Podman's and CRI-O's tests look for these words in crun's version.
  if (program == "crun") text += "+SYSTEMD +SELINUX +APPARMOR +CAP +SECCOMP +EBPF +YAJL\n";
  // Whose program it is under another's name.
  if (program != "langsbx") text += "langsbx: " + std::string(program_version()) + "\n";
  return text;
}

}  // namespace langsbx::cmd
