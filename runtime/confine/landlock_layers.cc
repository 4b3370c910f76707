// The container's broad layer, the program's tight one, and what both together allow.
#include <algorithm>
#include <set>

#include "runtime/confine/landlock.h"

namespace langsbx::confine {
namespace {

constexpr const char* kContainer = "container";
constexpr std::uint64_t kContainerRead = fs::kRead | fs::kExecute | fs::kResolveUnix;

bool has_option(const oci::Mount& mount, std::string_view option) {
  return std::find(mount.options.begin(), mount.options.end(), option) != mount.options.end();
}

bool is_bind(const oci::Mount& mount) {
  return has_option(mount, "bind") || has_option(mount, "rbind");
}

std::string absolute(const std::string& destination) {
  return destination.starts_with('/') ? destination : "/" + destination;
}

std::uint64_t mount_access(const oci::Mount& mount, std::uint64_t write) {
  std::uint64_t access = fs::kRead | fs::kResolveUnix;
  if (!has_option(mount, "noexec")) access |= fs::kExecute;
  if (!has_option(mount, "ro") && !has_option(mount, "rro")) access |= write;
  // A bind mount may be a device that the caller hands in.
  if (is_bind(mount) && !has_option(mount, "nodev")) access |= fs::kIoctlDev;
  return access;
}

// What a layer lets happen at `path`, with everything that it does not handle.
std::uint64_t allowed_at(const LandlockLayer& layer, std::string_view path) {
  std::uint64_t access = ~layer.handled_fs;
  for (const LandlockPathGrant& grant : layer.paths) {
    if (is_path_below(path, grant.path)) access |= grant.access;
  }
  return access;
}

std::uint64_t allowed_at(const LandlockLayer& layer, std::uint16_t port) {
  std::uint64_t access = ~layer.handled_net;
  for (const LandlockPortGrant& grant : layer.ports) {
    if (grant.port == port) access |= grant.access;
  }
  return access;
}

// The grants above `path` that take part in what is allowed there, other than "/", beneath which
// everything is.
std::vector<std::string> grants_above(const LandlockLayer& left, const LandlockLayer& right,
                                      const std::string& path) {
  std::set<std::string> above;
  for (const LandlockLayer* layer : {&left, &right}) {
    for (const LandlockPathGrant& grant : layer->paths) {
      if (grant.path == "/" || !is_path_below(path, grant.path)) continue;
      above.insert(grant.path);
      above.insert(grant.beneath.begin(), grant.beneath.end());
    }
  }
  above.erase(path);
  return {above.begin(), above.end()};  // each is the beginning of the next
}

class ProgramLayer {
 public:
  ProgramLayer(const LandlockProgram& program, int abi, std::vector<std::string>& unenforced)
      : program_(program), abi_(abi), unenforced_(unenforced) {
    layer_.name = "program";
    layer_.origin = program.origin;
  }

  Result<LandlockLayer> make() {
    if (program_.restrict_paths) TRY(restrict_paths());
    TRY(restrict_ports(program_.bind_tcp, net::kBindTcp));
    TRY(restrict_ports(program_.connect_tcp, net::kConnectTcp));
    TRY(restrict_ports(program_.bind_udp, net::kBindUdp));
    TRY(restrict_ports(program_.connect_udp, net::kConnectSendUdp));
    if (program_.scope_signals) TRY(restrict_scope(scope::kSignal));
    if (program_.scope_abstract_sockets) TRY(restrict_scope(scope::kAbstractUnixSocket));
    return std::move(layer_);
  }

 private:
  // True when the kernel has the right; an error when it has not and best effort wasn't named.
  Result<bool> available(LandlockKind kind, std::uint64_t right) {
    const int since = right_since(kind, right);
    if (since <= abi_) return true;
    const std::string what = "Landlock " + right_names(kind, right).front() + " needs ABI " +
                             std::to_string(since) + ", the kernel has " + std::to_string(abi_);
    if (!program_.best_effort.value_or(false)) {
      return make_error(
          ErrorKind::kUnsupported,
          program_.origin + ": " + what + " (io.langsbx.landlock=best-effort goes on without)");
    }
    unenforced_.push_back("program: " + what);
    return false;
  }

  Result<void> restrict_paths() {
    // Truncating needs no write right before ABI 3, device ioctls none before ABI 5.
    for (const std::uint64_t right : {fs::kReadFile, fs::kTruncate}) {
      TRY(available(LandlockKind::kFs, right));
    }
    layer_.handled_fs = known_rights(LandlockKind::kFs, abi_);
    if (!program_.deny_device_ioctl) {
      layer_.handled_fs &= ~fs::kIoctlDev;
    } else {
      TRY(available(LandlockKind::kFs, fs::kIoctlDev));
    }
    grant(program_.read, fs::kRead);
    grant(program_.write, fs::kRead | fs::kWrite | fs::kResolveUnix);
    grant(program_.own_read, fs::kRead, true);
    grant(program_.own_write, fs::kRead | fs::kWrite | fs::kResolveUnix, true);
    grant(program_.execute, fs::kExecute | fs::kReadFile);
    layer_.starts_program = program_.starts_program;
    grant(program_.devices, fs::kReadFile | fs::kWriteFile);
    return {};
  }

  void grant(const std::vector<std::string>& paths, std::uint64_t access, bool own = false) {
    for (const std::string& path : paths) {
      layer_.paths.push_back({path, access & layer_.handled_fs, false, {}, own});
    }
  }

  Result<void> restrict_ports(const std::optional<std::vector<std::uint16_t>>& ports,
                              std::uint64_t right) {
    if (!ports || !TRY(available(LandlockKind::kNet, right))) return {};
    layer_.handled_net |= right;
    for (const std::uint16_t port : *ports) layer_.ports.push_back({port, right});
    return {};
  }

  Result<void> restrict_scope(std::uint64_t right) {
    if (TRY(available(LandlockKind::kScope, right))) layer_.scoped |= right;
    return {};
  }

  const LandlockProgram& program_;
  int abi_;
  std::vector<std::string>& unenforced_;
  LandlockLayer layer_;
};

}  // namespace

bool is_path_below(std::string_view path, std::string_view parent) {
  if (parent == "/") return true;
  return path.starts_with(parent) && (path.size() == parent.size() || path[parent.size()] == '/');
}

LandlockLayer landlock_container_layer(const oci::Spec& spec, int abi, DeviceNodes nodes) {
  const std::uint64_t write =
      nodes == DeviceNodes::kMade ? fs::kWrite | fs::kMakeChar | fs::kMakeBlock : fs::kWrite;
  LandlockLayer layer;
  layer.name = kContainer;
  layer.origin = "mounts and rootfs";
  layer.handled_fs = known_rights(LandlockKind::kFs, abi);
  layer.stdio |= fs::kIoctlDev;
  const auto grant = [&layer](std::string path, std::uint64_t access) {
    layer.paths.push_back({std::move(path), access & layer.handled_fs, false});
  };
  // This one rule is what keeps a leaked descriptor of a host directory from being of any use:
  // nothing there is beneath the container's root (CVE-2024-21626).
  const bool readonly = spec.root && spec.root->readonly;
  grant("/", kContainerRead | (readonly ? 0 : write));
  grant("/dev", fs::kRead | fs::kWriteFile | fs::kTruncate | fs::kIoctlDev);
  for (const oci::Mount& mount : spec.mounts) {
    grant(absolute(mount.destination), mount_access(mount, write));
  }
  if (spec.linux_) {
    for (const oci::Device& device : spec.linux_->devices) {
      grant(absolute(device.path), fs::kReadFile | fs::kWriteFile | fs::kIoctlDev);
    }
  }
  return layer;
}

LandlockPlan container_layer_of(const LandlockPlan& plan) {
  LandlockPlan container = plan;
  std::erase_if(container.layers,
                [](const LandlockLayer& layer) { return layer.name != kContainer; });
  return container;
}

Result<LandlockLayer> landlock_program_layer(const LandlockProgram& program, int abi,
                                             std::vector<std::string>& unenforced) {
  return ProgramLayer(program, abi, unenforced).make();
}

LandlockLayer intersect_layers(const LandlockLayer& left, const LandlockLayer& right) {
  LandlockLayer both;
  both.name = left.name;
  both.origin = left.origin + " and " + right.origin;
  both.handled_fs = left.handled_fs | right.handled_fs;
  both.handled_net = left.handled_net | right.handled_net;
  both.scoped = left.scoped | right.scoped;
  both.stdio = left.stdio & right.stdio;
  // The sets only grow on the way down, so what both allow changes at a named path and nowhere
  // else.
  std::map<std::string, bool> paths = {{"/", false}};
  for (const LandlockLayer* layer : {&left, &right}) {
    for (const LandlockPathGrant& grant : layer->paths) {
      paths[grant.path] = paths[grant.path] || grant.must_exist;
    }
  }
  for (const auto& [path, must_exist] : paths) {
    const std::uint64_t access = allowed_at(left, path) & allowed_at(right, path) & both.handled_fs;
    if (access == 0 && !must_exist) continue;
    both.paths.push_back({path, access, must_exist, grants_above(left, right, path)});
  }
  std::set<std::uint16_t> ports;
  for (const LandlockLayer* layer : {&left, &right}) {
    for (const LandlockPortGrant& grant : layer->ports) ports.insert(grant.port);
  }
  for (const std::uint16_t port : ports) {
    const std::uint64_t access =
        allowed_at(left, port) & allowed_at(right, port) & both.handled_net;
    if (access != 0) both.ports.push_back({port, access});
  }
  return both;
}

}  // namespace langsbx::confine
