// Mounts, limits and names of the sandbox.
#include "runtime/execute/sandbox_spec.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

namespace langsbx::execute {
namespace {

constexpr std::uint64_t kBytesPerInode = 4096;
constexpr std::int64_t kCpuPeriod = 100'000;
// The cgroup refuses first, since it counts what it refuses.
constexpr std::uint64_t kBehind = 16;

bool is_directory(const char* path) {
  struct stat status {};
  return ::lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

std::string link_target(const char* path) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(path, target, sizeof target);
  return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : std::string();
}

// Folders that are links into /usr on a merged system and mounts of their own on others.
constexpr std::array kRootFolders = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};

oci::Mount host_mount(const std::string& path) {
  return {path, "bind", path, {"rbind", "rro", "rnosuid", "rnodev"}, {}, {}};
}

oci::Mount work_mount(const Program& program) {
  const std::string uid = std::to_string(program.uid);
  return {std::string(kWorkFolder),
          "tmpfs",
          "tmpfs",
          {"nosuid", "nodev", "noexec", "mode=700", "uid=" + uid, "gid=" + uid,
           "size=" + std::to_string(program.limits.disk),
           "nr_inodes=" + std::to_string(program.limits.disk / kBytesPerInode + 16)},
          {},
          {}};
}

std::vector<oci::Mount> mounts(const Program& program) {
  std::vector<oci::Mount> list;
  list.push_back(host_mount("/usr"));
  for (const char* folder : kRootFolders) {
    if (is_directory(folder)) list.push_back(host_mount(folder));
  }
  if (::access("/etc/ld.so.cache", R_OK) == 0) list.push_back(host_mount("/etc/ld.so.cache"));
  for (const auto folder : program.toolchain->host_folders) {
    const std::string path(folder);
    if (is_directory(path.c_str())) list.push_back(host_mount(path));
  }
  if (program.host_network) {
    for (const char* file : {"/etc/resolv.conf", "/etc/ssl"}) {
      if (::access(file, R_OK) == 0) list.push_back(host_mount(file));
    }
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
  // A second to die of SIGXCPU in, then SIGKILL. One process more: our own process 1.
  std::vector<oci::Rlimit> list = {
      rlimit("RLIMIT_CPU", (limits.cpu_time_ms + 999) / 1000, 1),
      rlimit("RLIMIT_NOFILE", limits.files),
      rlimit("RLIMIT_FSIZE", limits.disk),
      rlimit("RLIMIT_NPROC", limits.pids + (program.has_cgroup ? kBehind : 1)),
      rlimit("RLIMIT_CORE", 0),
      rlimit("RLIMIT_MEMLOCK", 0),
      rlimit("RLIMIT_MSGQUEUE", 0)};
  if (!program.has_cgroup) list.push_back(rlimit("RLIMIT_DATA", limits.memory));
  return list;
}

oci::Process process(const Program& program) {
  oci::Process made;
  made.user.uid = program.uid;
  made.user.gid = program.uid;
  made.user.umask = 022;
  made.args = program.args;
  made.env = {"PATH=/usr/bin:/bin", "HOME=" + std::string(kWorkFolder), "TMPDIR=/tmp",
              "LANG=C.UTF-8"};
  made.env.insert(made.env.end(), program.env.begin(), program.env.end());
  made.cwd = kWorkFolder;
  made.capabilities.emplace();
  made.rlimits = rlimits(program);
  made.no_new_privileges = true;
  return made;
}

oci::Resources resources(const Program& program) {
  oci::Resources made;
  made.memory.emplace();
  made.memory->limit = static_cast<std::int64_t>(program.limits.memory);
  made.pids_limit = static_cast<std::int64_t>(program.limits.pids + 1);
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
  spec.process = process(program);
  spec.root = oci::Root{"/tmp", true};  // covered by the root in memory
  spec.hostname = "sandbox";
  spec.mounts = mounts(program);
  auto& linux_ = spec.linux_.emplace();
  using Type = oci::NamespaceType;
  for (const Type type : {Type::kPid, Type::kMount, Type::kIpc, Type::kUts, Type::kNetwork}) {
    if (type == Type::kNetwork && program.host_network) continue;
    linux_.namespaces.push_back({type, ""});
  }
  if (program.rootless) {
    linux_.namespaces.push_back({Type::kUser, ""});
    linux_.uid_mappings = {{0, ::geteuid(), 1}};
    linux_.gid_mappings = {{0, ::getegid(), 1}};
  }
  linux_.resources = resources(program);
  return spec;
}

std::vector<plan::FileStep> sandbox_files(const Program& program) {
  std::vector<plan::FileStep> files;
  const auto link = [&](std::string path, std::string target) {
    files.push_back({std::move(path), std::move(target), 0, 0, true});
  };
  for (const char* folder : kRootFolders) {
    auto target = link_target(folder);
    if (!target.empty()) link(folder, std::move(target));
  }
  // One file system, one limit on what is written.
  link("/tmp", "work");
  if (auto zone = link_target("/etc/localtime"); zone.starts_with("/usr/")) {
    link("/etc/localtime", std::move(zone));
  }
  files.push_back({"/etc/passwd", passwd(program.uid)});
  files.push_back({"/etc/group", "sandbox:x:" + std::to_string(program.uid) + ":\n"});
  files.push_back({"/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"});
  files.insert(files.end(), program.files.begin(), program.files.end());
  return files;
}

confine::LandlockProgram program_landlock(const languages::Profile& profile,
                                          const Toolchain& toolchain, bool host_network) {
  confine::LandlockProgram layer;
  layer.origin = "guard profile " + profile.name;
  const auto& wanted = profile.landlock;
  layer.read = wanted.read;
  if (layer.read.empty()) layer.read = {"/usr", "/bin", "/lib", "/lib64", "/proc"};
  layer.read.insert(layer.read.end(), {"/etc", std::string(kSourceFolder)});
  // The work directory may be listed; what stands beside it may not, but names can be looked up.
  layer.write = {std::string(kWorkFolder)};
  layer.execute = wanted.execute;
  if (layer.execute.empty()) {
    layer.execute = {"/usr/lib", "/usr/lib64", "/lib", "/lib64"};
    const bool shell = toolchain.language == "bash";
    layer.execute.emplace_back(shell ? std::string_view("/usr/bin") : toolchain.program);
    if (toolchain.language == "typescript") layer.execute.emplace_back("/usr/bin/node");
  }
  if (toolchain.compiled) layer.execute.push_back(std::string(kSourceFolder) + "/program");
  layer.devices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  if (!host_network) {
    layer.bind_tcp.emplace();
    layer.connect_tcp.emplace();
  }
  layer.best_effort = true;  // what this kernel lacks becomes a warning of the record
  return layer;
}

confine::LandlockProgram compiler_landlock() {
  confine::LandlockProgram layer;
  layer.origin = "compiler";
  layer.read = {"/usr", "/bin", "/lib", "/lib64", "/proc", "/etc", std::string(kSourceFolder)};
  layer.write = {std::string(kWorkFolder)};
  layer.execute = {"/usr", "/bin", "/lib", "/lib64"};
  layer.devices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  layer.bind_tcp.emplace();
  layer.connect_tcp.emplace();
  layer.best_effort = true;
  return layer;
}

}  // namespace langsbx::execute
