// What a program, a compiler and the command of --setup may reach, as Landlock layers.
#include <algorithm>
#include <iterator>
#include <optional>

#include "runtime/base/text_list.h"
#include "runtime/egress/proxy.h"
#include "runtime/execute/compiler_programs.h"
#include "runtime/execute/sandbox_spec.h"
#include "runtime/guard/container_files.h"
#include "runtime/guard/programs.h"

namespace langsbx::execute {
namespace {

using Paths = std::vector<std::string>;

// Its shared mappings are memory that nobody counts without a cgroup; in a container of that kind
// the name leads to /dev/full.
constexpr const char* kZero = "/dev/zero";

const Paths& devices() {
  static const Paths all = {"/dev/null",   kZero,          "/dev/full",
                            "/dev/random", "/dev/urandom", "/dev/tty"};
  return all;
}

// What tells a process about itself. Not named, since it is about the host: net (every socket's
// address), mountinfo and its like, cgroup, and task, which holds all of these once more.
constexpr auto kOfItself = text_list("auxv", "cmdline", "comm", "coredump_filter", "environ", "fd",
                                     "fdinfo", "io", "limits", "maps", "oom_score_adj", "smaps",
                                     "smaps_rollup", "stat", "statm", "status");

// The container's /etc and /proc are its own; in the light tier they are the host's, so only files
// are named that hold nothing but facts on libraries, time zones and certificates, and of /proc
// what tells a process about itself and the machine's size.
void add_system(const Toolchain* toolchain, Tier tier, Network network, Paths& read) {
  if (tier != Tier::kLight) {
    read.emplace_back("/etc");
    return;
  }
  std::erase_if(read, [](const std::string& path) {
    return path == "/proc" || path == "/tmp" || path == "/etc" || path == kZero;
  });
  for (const char* path :
       {"/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/etc/ssl/certs",
        "/etc/ssl/openssl.cnf", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/version",
        "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage"}) {
    read.emplace_back(path);
  }
  for (const std::string_view name : kOfItself) read.push_back("/proc/self/" + std::string(name));
  if (network == Network::kHost) {
    for (const char* path : {"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"}) {
      read.emplace_back(path);
    }
  }
  if (toolchain == nullptr) return;
  for (const auto folder : toolchain->host_paths) read.emplace_back(folder);
}

confine::LandlockProgram base_layer(std::string origin, const Places& places, Tier tier,
                                    Network network) {
  confine::LandlockProgram layer;
  layer.origin = std::move(origin);
  layer.write = {places.work};
  layer.devices = devices();
  if (tier == Tier::kLight) std::erase(layer.devices, kZero);
  if (network != Network::kHost) {
    layer.bind_tcp.emplace();
    layer.connect_tcp.emplace();
  }
  if (network == Network::kProxy) layer.connect_tcp->push_back(egress::kPort);
  layer.best_effort = true;  // what this kernel lacks becomes a warning of the record
  return layer;
}

// The source that the sandbox gets is the program itself where it was compiled.
Result<Paths> programs_of(const languages::Profile& profile, const Program& program) {
  const auto policy = languages::make_policy(profile);
  const std::string root = program.rootfs.empty() ? "/" : program.rootfs;
  const auto files = TRY(guard::ContainerFiles::open("/", policy.max_bytes, {}, root));
  const guard::FileViewer view = [&](const auto& path, const auto& show) {
    const auto placed = std::ranges::find(program.files, path, &Placed::path);
    if (placed == program.files.end()) return files.view(path, show);
    show(placed->content);
    return true;
  };
  Paths programs = guard::files_of({program.args.at(0)}, "/", guard::Needs::kLoader, view).executed;
  const auto add = [&](Paths more) {
    std::move(more.begin(), more.end(), std::back_inserter(programs));
  };
  if (profile.landlock.execute.empty() && guard::starts_any_program(policy)) {
    add(guard::program_folders());
  } else {
    add(guard::installed_commands(
        policy, [&](const std::string& folder) { return files.names_in(folder); }));
  }
  return programs;
}

}  // namespace

Result<confine::LandlockProgram> program_landlock(const languages::Profile& profile,
                                                  const Program& program) {
  const Network network = program.network;
  auto layer = base_layer("guard profile " + profile.name, program.places, program.tier, network);
  const auto& wanted = profile.landlock;
  layer.read = wanted.read;
  if (layer.read.empty()) {
    layer.read = guard::library_folders();
    layer.read.emplace_back("/proc");
  }
  layer.read.push_back(program.places.source);
  if (!program.rootfs.empty()) layer.read.emplace_back("/opt");
  add_system(program.toolchain, program.tier, network, layer.read);
  if (wanted.best_effort) layer.best_effort = wanted.best_effort;
  if (network == Network::kHost && (!wanted.connect_tcp.empty() || !wanted.bind_tcp.empty())) {
    layer.connect_tcp = wanted.connect_tcp;
    layer.bind_tcp = wanted.bind_tcp;
  }
  layer.execute = wanted.execute;
  Paths programs = TRY(programs_of(profile, program));
  std::move(programs.begin(), programs.end(), std::back_inserter(layer.execute));
  return layer;
}

Result<confine::LandlockProgram> compiler_landlock(const Program& program) {
  auto layer = base_layer("compiler", program.places, program.tier, Network::kNone);
  layer.read = guard::library_folders();
  for (const char* path : {"/usr/include", "/usr/local/include", "/usr/local/go", "/proc"}) {
    layer.read.emplace_back(path);
  }
  layer.read.push_back(program.places.source);
  // What an image's maker has put somewhere else.
  if (!program.rootfs.empty()) {
    for (const char* path : {"/opt", "/usr/local/rustup"}) layer.read.emplace_back(path);
  }
  add_system(program.toolchain, program.tier, Network::kNone, layer.read);
  layer.execute = TRY(compiler_programs(*program.toolchain, program.tool, program.rootfs));
  return layer;
}

confine::LandlockProgram tool_landlock(const Places& places, Tier tier, Network network) {
  auto layer = base_layer("tools", places, tier, network);
  layer.read = {"/usr", "/bin", "/lib", "/lib64", "/proc", places.source};
  layer.execute = {"/usr", "/bin", "/lib", "/lib64"};
  add_system(nullptr, tier, network, layer.read);
  return layer;
}

}  // namespace langsbx::execute
