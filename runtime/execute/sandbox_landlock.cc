// What a program, a compiler and the command of --setup may reach, as Landlock layers.
#include <algorithm>

#include "runtime/egress/proxy.h"
#include "runtime/execute/sandbox_spec.h"

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
        "/etc/ssl/openssl.cnf", "/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat",
        "/proc/version", "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage"}) {
    read.emplace_back(path);
  }
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

}  // namespace

confine::LandlockProgram program_landlock(const languages::Profile& profile,
                                          const Toolchain& toolchain, const Places& places,
                                          Tier tier, Network network) {
  auto layer = base_layer("guard profile " + profile.name, places, tier, network);
  const auto& wanted = profile.landlock;
  layer.read = wanted.read;
  if (layer.read.empty()) layer.read = {"/usr", "/bin", "/lib", "/lib64", "/proc"};
  layer.read.push_back(places.source);
  add_system(&toolchain, tier, network, layer.read);
  layer.best_effort = wanted.best_effort.value_or(layer.best_effort);
  if (network == Network::kHost && (!wanted.connect_tcp.empty() || !wanted.bind_tcp.empty())) {
    layer.connect_tcp = wanted.connect_tcp;
    layer.bind_tcp = wanted.bind_tcp;
  }
  layer.execute = wanted.execute;
  if (layer.execute.empty()) {
    layer.execute = {"/usr/lib", "/usr/lib64", "/lib", "/lib64"};
    const bool shell = toolchain.language == "bash";
    layer.execute.emplace_back(shell ? std::string_view("/usr/bin") : toolchain.program);
  }
  if (toolchain.compiled) layer.execute.push_back(places.source + "/program");
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
