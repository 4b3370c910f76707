// io.langsbx.landlock.*: the tight layer by annotation, for clients that can pass nothing else.

#include "runtime/base/text.h"
#include "runtime/confine/landlock.h"

namespace langsbx::confine {
namespace {

constexpr std::string_view kPrefix = "io.langsbx.landlock.";

using Ports = std::optional<std::vector<std::uint16_t>>;

// Between commas, without blanks; empty ones don't count.
std::vector<std::string_view> items(std::string_view value) {
  std::vector<std::string_view> found;
  for (const std::string_view part : split(value, ',')) {
    if (const auto item = trim(part, " "); !item.empty()) found.push_back(item);
  }
  return found;
}

Error bad(const std::string& key, const std::string& what) {
  return make_error(ErrorKind::kInvalidInput, "annotation " + key + ": " + what);
}

Result<void> add_paths(const std::string& key, const std::string& value,
                       std::vector<std::string>& paths) {
  for (const std::string_view path : items(value)) {
    if (!path.starts_with('/')) {
      return bad(key, "\"" + std::string(path) + "\" is not an absolute path");
    }
    paths.emplace_back(path);
  }
  return {};
}

Result<void> add_ports(const std::string& key, const std::string& value, Ports& ports) {
  if (!ports) ports.emplace();
  if (value == "none") return {};
  for (const std::string_view text : items(value)) {
    const auto port = to_number<std::uint16_t>(text);
    if (!port) return bad(key, "\"" + std::string(text) + "\" is not a port");
    ports->push_back(*port);
  }
  return {};
}

Result<void> set_scopes(const std::string& key, const std::string& value,
                        LandlockProgram& program) {
  program.scope_signals = false;
  program.scope_abstract_sockets = false;
  if (value == "none") return {};
  for (const std::string_view name : items(value)) {
    const auto right = right_from_text(LandlockKind::kScope, name);
    if (!right || (*right & ~known_rights(LandlockKind::kScope)) != 0) {
      return bad(key, "unknown scope \"" + std::string(name) + "\"");
    }
    program.scope_signals = program.scope_signals || (*right & scope::kSignal) != 0;
    program.scope_abstract_sockets =
        program.scope_abstract_sockets || (*right & scope::kAbstractUnixSocket) != 0;
  }
  return {};
}

// False: not one of the keys about the program.
Result<bool> apply_one(const std::string& key, std::string_view name, const std::string& value,
                       LandlockProgram& program) {
  if (name == "read") {
    TRY(add_paths(key, value, program.read));
  } else if (name == "write") {
    TRY(add_paths(key, value, program.write));
  } else if (name == "execute") {
    TRY(add_paths(key, value, program.execute));
  } else if (name == "devices") {
    TRY(add_paths(key, value, program.devices));
  } else if (name == "bind-tcp") {
    TRY(add_ports(key, value, program.bind_tcp));
  } else if (name == "connect-tcp") {
    TRY(add_ports(key, value, program.connect_tcp));
  } else if (name == "bind-udp") {
    TRY(add_ports(key, value, program.bind_udp));
  } else if (name == "connect-udp") {
    TRY(add_ports(key, value, program.connect_udp));
  } else if (name == "scope") {
    TRY(set_scopes(key, value, program));
  } else if (name == "device-ioctl") {
    if (value != "allow" && value != "deny") return bad(key, "neither \"allow\" nor \"deny\"");
    program.deny_device_ioctl = value == "deny";
  } else if (name == "config") {
    return false;  // a layer of its own
  } else {
    // A misspelt restriction must not be a missing one.
    return bad(key, "unknown Landlock annotation");
  }
  return true;
}

}  // namespace

Result<bool> read_landlock_annotations(const std::map<std::string, std::string>& annotations,
                                       LandlockProgram& program) {
  bool any = false;
  for (auto at = annotations.lower_bound(std::string(kPrefix));
       at != annotations.end() && at->first.starts_with(kPrefix); ++at) {
    const std::string_view name = std::string_view(at->first).substr(kPrefix.size());
    any = TRY(apply_one(at->first, name, at->second, program)) || any;
  }
  return any;
}

}  // namespace langsbx::confine
