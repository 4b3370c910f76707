// PATH search and diagnosis of execve's failures.
#include "runtime/launch/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "runtime/kernel/elf_loader.h"
#include "runtime/kernel/file.h"

namespace langsbx::runtime {
namespace {

std::string quoted(std::string_view name) { return "exec: \"" + std::string(name) + "\""; }

// 0, or why it can't be executed by us.
int check_executable(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) != 0) return errno;
  return 0;
}

std::string_view variable(const std::vector<std::string>& env, std::string_view name) {
  for (const auto& entry : env) {
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name)) {
      return std::string_view(entry).substr(name.size() + 1);
    }
  }
  return {};
}

Error exec_error(std::string message, int errno_value) {
  return Error{ErrorKind::kExec, errno_value, std::move(message)};
}

// What execve said, as runc's init words it; on a further line what explains it.
Error refused(const std::string& path, int errno_value, std::string_view explanation = {},
              int explanation_errno = 0) {
  std::string message = "exec " + path + ": " + errno_text(errno_value);
  if (!explanation.empty()) message.append("\n").append(explanation);
  return Error{ErrorKind::kExecve, explanation_errno, std::move(message)};
}

// "#!/bin/sh\r" and "#!/no/such" of a script.
Error explain_script(const std::string& path, std::string_view head, int errno_value) {
  auto line =
      head.substr(2, head.find('\n') == std::string_view::npos ? head.npos : head.find('\n') - 2);
  if (line.ends_with('\r')) {
    return refused(path, errno_value, "the #! line ends in a carriage return (CRLF line ends)");
  }
  while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
  const std::string interpreter(line.substr(0, line.find_first_of(" \t")));
  if (check_executable(interpreter) != 0) {
    return refused(path, errno_value, "its interpreter " + interpreter + " in the #! line",
                   check_executable(interpreter));
  }
  return refused(path, errno_value);
}

// The PT_INTERP of an ELF file that is for this machine, or an explanation.
Error explain_elf(const std::string& path, const std::string& head, int errno_value) {
  Elf64_Ehdr header{};
  if (head.size() < sizeof header) return refused(path, errno_value);
  std::memcpy(&header, head.data(), sizeof header);
#if defined(__x86_64__)
  constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
  constexpr int kMachine = EM_AARCH64;
#else
  constexpr int kMachine = EM_NONE;
#endif
  if (header.e_machine != kMachine && errno_value == ENOEXEC) {
    return refused(path, errno_value,
                   "it is built for another architecture (ELF machine " +
                       std::to_string(header.e_machine) + ")");
  }
  const std::string loader = elf_loader(head);
  if (!loader.empty() && check_executable(loader) != 0) {
    return refused(path, errno_value, "its ELF loader " + loader, check_executable(loader));
  }
  return refused(path, errno_value);
}

}  // namespace

Result<std::string> find_executable(const std::string& name, const std::vector<std::string>& env) {
  if (name.find('/') != std::string::npos) {
    const int problem = check_executable(name);
    if (problem == 0) return name;
    if (problem == ENOENT || problem == ENOTDIR) {
      return exec_error(quoted(name) + ": stat " + name, problem);
    }
    // Newer clients look for the first words, Docker 20.10 and Podman for the last.
    if (problem == EISDIR) return exec_error(quoted(name) + ": is a directory", EACCES);
    return exec_error(quoted(name), problem);
  }
  std::string_view path = variable(env, "PATH");
  bool denied = false;
  int unknown = 0;
  while (!path.empty() && !name.empty()) {
    const auto colon = path.find(':');
    auto directory = path.substr(0, colon);
    if (directory.empty()) directory = ".";
    std::string candidate = std::string(directory) + "/" + name;
    const int problem = check_executable(candidate);
    if (problem == 0) return candidate;
    denied = denied || problem == EACCES;
    if (problem == EIO || problem == ENOMEM || problem == EMFILE || problem == ENFILE)
      unknown = problem;
    if (colon == std::string_view::npos) break;
    path.remove_prefix(colon + 1);
  }
  if (unknown != 0) return exec_error(quoted(name), unknown);
  if (denied) return exec_error(quoted(name), EACCES);
  return exec_error(quoted(name) + ": executable file not found in $PATH", 0);
}

Error explain_exec_failure(const std::string& path, int errno_value) {
  const auto fd = open_regular_file(path);
  if (!fd.ok()) return refused(path, errno_value);
  std::string head(4096, '\0');
  const ssize_t count = ::read(fd->get(), head.data(), head.size());
  head.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  if (head.starts_with("#!")) return explain_script(path, head, errno_value);
  if (head.starts_with(ELFMAG)) return explain_elf(path, head, errno_value);
  return refused(path, errno_value);
}

Error with_line_of_crun(Error error, const std::string& name) {
  const bool by_path = name.find('/') == std::string::npos;
  const bool is_missing = error.kind == ErrorKind::kExec &&
                          (error.errno_value == ENOENT || (by_path && error.errno_value == 0));
  if (!is_missing) return error;
  error.message = "executable file `" + name + "` not found" + (by_path ? " in $PATH" : "") +
                  ": No such file or directory\n" + error.message;
  return error;
}

std::string home_directory(unsigned uid) {
  constexpr std::size_t kLimit = 1U << 20U;
  const auto file = open_regular_file("/etc/passwd");
  if (!file.ok()) return "/";
  const auto passwd = read_fd(file->get(), kLimit, "/etc/passwd");
  if (!passwd.ok()) return "/";
  std::string_view rest = *passwd;
  const std::string wanted = std::to_string(uid);
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    std::string_view fields[7];
    std::size_t count = 0;
    for (; count < 7; ++count) {
      const auto colon = line.find(':');
      fields[count] = line.substr(0, colon);
      if (colon == std::string_view::npos) break;
      line.remove_prefix(colon + 1);
    }
    if (count >= 5 && fields[2] == wanted && !fields[5].empty()) return std::string(fields[5]);
  }
  return "/";
}

}  // namespace langsbx::runtime
