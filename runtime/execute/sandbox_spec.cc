// Mounts, limits and names of the sandbox.
#include "runtime/execute/sandbox_spec.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

#include "runtime/base/text_list.h"
#include "runtime/egress/proxy.h"
#include "runtime/execute/without_cgroup.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::execute {
namespace {

constexpr std::uint64_t kBytesPerInode = 4096;
constexpr std::int64_t kCpuPeriod = 100'000;
constexpr std::uint64_t kReserved = 128U << 20U;

// A directory or file of the root that the caller named may be a link out of it: such a one is left
// out, as is what a link on the way leads to.
bool is_there(const std::string& rootfs, std::string_view path, int flags) {
  if (rootfs.empty()) {
    struct stat status {};
    const std::string text(path);
    if (::lstat(text.c_str(), &status) != 0) return false;
    if ((flags & O_DIRECTORY) != 0) return S_ISDIR(status.st_mode);
    return S_ISREG(status.st_mode) && ::access(text.c_str(), R_OK) == 0;
  }
  const auto root = open_file(rootfs, O_PATH | O_DIRECTORY);
  return root.ok() && open_beneath(root->get(), path.substr(1), O_PATH | flags).ok();
}

std::string link_target(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
  return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : std::string();
}

// Folders that are links into /usr on a merged system and mounts of their own on others.
constexpr auto kRootFolders = text_list("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");

bool add_host_mount(const Program& program, std::string_view path, int flags,
                    std::vector<oci::Mount>& list) {
  if (!is_there(program.rootfs, path, flags)) return false;
  const std::string inside(path);
  list.push_back(
      {inside, "bind", program.rootfs + inside, {"rbind", "rro", "rnosuid", "rnodev"}, {}, {}});
  return true;
}

oci::Mount work_mount(const Program& program) {
  // Where files are fixed the program may make others beside them, and only move or remove its own.
  const bool fixed = fixes_work(program);
  const std::string uid = std::to_string(fixed ? 0 : program.uid);
  return {std::string(kWorkFolder),
          "tmpfs",
          "tmpfs",
          {"nosuid", "nodev", "noexec", fixed ? "mode=1777" : "mode=700", "uid=" + uid,
           "gid=" + uid, "size=" + std::to_string(work_bytes(program)),
           "nr_inodes=" +
               std::to_string(program.limits.disk / kBytesPerInode + 16 + program.own_files)},
          {},
          {}};
}

std::vector<oci::Mount> mounts(const Program& program) {
  std::vector<oci::Mount> list;
  add_host_mount(program, "/usr", O_DIRECTORY, list);
  for (const std::string_view folder : kRootFolders)
    add_host_mount(program, folder, O_DIRECTORY, list);
  add_host_mount(program, "/etc/ld.so.cache", 0, list);
  // Links only; those in /usr lead there, of numpy's libraries as of java.
  add_host_mount(program, "/etc/alternatives", O_DIRECTORY, list);
  for (const auto path : program.toolchain->host_paths) {
    if (!add_host_mount(program, path, O_DIRECTORY, list)) add_host_mount(program, path, 0, list);
  }
  // The host's may hold what is private; of a root that was named, nothing is.
  if (!program.rootfs.empty()) add_host_mount(program, "/opt", O_DIRECTORY, list);
  if (program.network == Network::kHost) {
    // Names are the host's to resolve, whatever root the programs come from.
    if (::access("/etc/resolv.conf", R_OK) == 0) {
      list.push_back({"/etc/resolv.conf",
                      "bind",
                      "/etc/resolv.conf",
                      {"rbind", "rro", "rnosuid", "rnodev"},
                      {},
                      {}});
    }
  }
  if (program.network != Network::kNone) {
    add_host_mount(program, "/etc/ssl", O_DIRECTORY, list);
  }
  // Only the sandbox's own processes are in it: no settings, no facts of the host.
  list.push_back({"/proc", "proc", "proc", {"nosuid", "nodev", "noexec", "subset=pid"}, {}, {}});
  list.push_back(work_mount(program));
  return list;
}

oci::Rlimit rlimit(const char* type, std::uint64_t value, std::uint64_t more = 0) {
  return {type, value, value + more};
}

std::vector<oci::Rlimit> rlimits(const Program& program) {
  const Limits& limits = program.limits;
  // A second to die of SIGXCPU in, then SIGKILL.
  std::vector<oci::Rlimit> list = {rlimit("RLIMIT_CPU", (limits.cpu_time_ms + 999) / 1000, 1),
                                   rlimit("RLIMIT_NOFILE", limits.files),
                                   rlimit("RLIMIT_FSIZE", limits.disk),
                                   rlimit("RLIMIT_NPROC", limits.pids + program.processes_before),
                                   rlimit("RLIMIT_CORE", 0),
                                   rlimit("RLIMIT_MEMLOCK", 0),
                                   rlimit("RLIMIT_MSGQUEUE", 0)};
  // Where no cgroup counts, the supervisor does, on what is resident; this stops what is faster
  // than it, and leaves room for what is only reserved (stacks of threads, heaps of runtimes).
  if (!program.has_cgroup) list.push_back(rlimit("RLIMIT_DATA", 2 * limits.memory + kReserved));
  return list;
}

}  // namespace

bool is_below(std::string_view path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

bool fixes_work(const Program& program) {
  return std::ranges::any_of(program.files, [&](const Placed& placed) {
    return placed.fixed && is_below(placed.path, program.places.work);
  });
}

oci::Process sandbox_process(const Program& program) {
  oci::Process made;
  made.user.uid = program.uid;
  made.user.gid = program.gid;
  made.user.umask = 022;
  made.args = program.args;
  const std::string& work = program.places.work;
  const bool own_root = !program.rootfs.empty();
  made.env = {own_root ? "PATH=/usr/local/bin:/usr/bin:/bin" : "PATH=/usr/bin:/bin", "HOME=" + work,
              "TMPDIR=" + (work == kWorkFolder ? std::string("/tmp") : work), "LANG=C.UTF-8"};
  if (program.network == Network::kProxy) {
    for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"}) {
      made.env.push_back(std::string(name) + "=" + std::string(egress::kUrl));
    }
  }
  made.env.insert(made.env.end(), program.env.begin(), program.env.end());
  made.cwd = program.cwd.empty() ? work : program.cwd;
  made.capabilities.emplace();
  made.rlimits = rlimits(program);
  made.no_new_privileges = true;
  return made;
}

namespace {

// With our process 1. A kernel or a virtual machine of its own around the program is processes,
// too, and more than one for each of the program's.
std::uint64_t pids_of_host(const Program& program) {
  constexpr std::uint64_t kOfTheRuntime = 84;
  constexpr std::uint64_t kForEach = 4;
  if (program.tier == Tier::kMaximum) return kForEach * program.limits.pids + kOfTheRuntime;
  return program.limits.pids + 1;
}

oci::Resources resources(const Program& program) {
  oci::Resources made;
  made.memory.emplace();
  made.memory->limit = static_cast<std::int64_t>(program.limits.memory);
  made.pids_limit = static_cast<std::int64_t>(pids_of_host(program));
  made.cpu.emplace();
  made.cpu->period = kCpuPeriod;
  made.cpu->quota = static_cast<std::int64_t>(program.limits.cpus_milli) * kCpuPeriod / 1000;
  return made;
}

std::string passwd(uid_t uid) {
  const std::string id = std::to_string(uid);
  std::string text = "sandbox:x:" + id + ":" + id + ":sandbox:/work:/bin/sh\n";
  if (uid != 0) text = "root:x:0:0:root:/:/bin/sh\n" + text;
  return text;
}

}  // namespace

oci::Spec sandbox_spec(const Program& program) {
  oci::Spec spec;
  spec.oci_version = "1.2.0";
  spec.process = sandbox_process(program);
  // Covered by the root in memory: nothing that is mounted there comes from below it.
  spec.root = oci::Root{"/sys", true};
  spec.hostname = "sandbox";
  spec.mounts = mounts(program);
  auto& kernel = spec.linux_.emplace();
  using Type = oci::NamespaceType;
  for (const Type type : {Type::kPid, Type::kMount, Type::kIpc, Type::kUts, Type::kNetwork}) {
    if (type == Type::kNetwork && program.network == Network::kHost) continue;
    kernel.namespaces.push_back({type, ""});
  }
  if (program.rootless) {
    kernel.namespaces.push_back({Type::kUser, ""});
    kernel.uid_mappings = {{0, ::geteuid(), 1}};
    kernel.gid_mappings = {{0, ::getegid(), 1}};
  }
  kernel.resources = resources(program);
  return spec;
}

std::vector<plan::FileStep> sandbox_files(const Program& program) {
  std::vector<plan::FileStep> files;
  const auto link = [&](std::string path, std::string target) {
    files.push_back({std::move(path), std::move(target), 0, 0, true});
  };
  for (const std::string_view folder : kRootFolders) {
    std::string path(folder);
    auto target = link_target(program.rootfs + path);
    if (!target.empty()) link(std::move(path), std::move(target));
  }
  if (has_few_devices(program)) {
    link("/dev/zero", "full");
    link("/dev/random", "urandom");
  }
  // One file system, one limit on what is written.
  link("/tmp", "work");
  if (auto zone = link_target(program.rootfs + "/etc/localtime"); zone.starts_with("/usr/")) {
    link("/etc/localtime", std::move(zone));
  }
  files.push_back({"/etc/passwd", passwd(program.uid)});
  files.push_back({"/etc/group", "sandbox:x:" + std::to_string(program.uid) + ":\n"});
  files.push_back({"/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"});
  for (const auto& placed : program.files) {
    const bool folder = placed.kind == Placed::Kind::kFolder;
    const bool own = is_below(placed.path, program.places.work) && !placed.fixed;
    files.push_back({placed.path, placed.content,
                     folder && placed.fixed ? mode_t{01777} : placed.mode, own ? program.uid : 0,
                     placed.kind == Placed::Kind::kLink, folder});
  }
  return files;
}

}  // namespace langsbx::execute
