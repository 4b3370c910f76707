// io.langsbx.landlock.*: the tight layer by annotation, for clients that can pass nothing else.
#include <charconv>

#include "runtime/confine/landlock.h"

namespace langsbx::confine {
namespace {

constexpr std::string_view kPrefix = "io.langsbx.landlock.";

using Ports = std::optional<std::vector<std::uint16_t>>;

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return parts;
}

Error bad(const std::string& key, const std::string& what) {
  return make_error(ErrorKind::kInvalidInput, "annotation " + key + ": " + what);
}

Result<void> add_paths(const std::string& key, const std::string& value,
                       std::vector<std::string>& paths) {
  for (std::string& path : split(value)) {
    if (!path.starts_with('/')) return bad(key, "\"" + path + "\" is not an absolute path");
    paths.push_back(std::move(path));
  }
  return {};
}

Result<void> add_ports(const std::string& key, const std::string& value, Ports& ports) {
  if (!ports) ports.emplace();
  if (value == "none") return {};
  for (const std::string& text : split(value)) {
    std::uint16_t port = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (code != std::errc{} || end != text.data() + text.size()) {
      return bad(key, "\"" + text + "\" is not a port");
    }
    ports->push_back(port);
  }
  return {};
}

Result<void> set_scopes(const std::string& key, const std::string& value,
                        LandlockProgram& program) {
  program.scope_signals = false;
  program.scope_abstract_sockets = false;
  if (value == "none") return {};
  for (const std::string& name : split(value)) {
    const auto right = right_from_text(LandlockKind::kScope, name);
    if (!right || (*right & ~known_rights(LandlockKind::kScope)) != 0) {
      return bad(key, "unknown scope \"" + name + "\"");
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
