// The tables of Node.js modules and members; tests compare the list with module.builtinModules.
#include "languages/javascript/modules.h"
#include "runtime/base/text_list.h"

#include <algorithm>
#include <iterator>

namespace langsbx::languages::javascript {
namespace {

using enum Capability;

constexpr Module kModules[] = {
    // sorted
    {"_http_agent", kNetworkConnect, false},
    {"_http_client", kNetworkConnect, false},
    {"_http_common", kNetworkConnect, false},
    {"_http_incoming", kNetworkConnect, false},
    {"_http_outgoing", kNetworkConnect, false},
    {"_http_server", kNetworkListen, false},
    {"_stream_duplex", kNone, false},
    {"_stream_passthrough", kNone, false},
    {"_stream_readable", kNone, false},
    {"_stream_transform", kNone, false},
    {"_stream_wrap", kIntrospection, false},
    {"_stream_writable", kNone, false},
    {"_tls_common", kNetworkConnect, false},
    {"_tls_wrap", kNetworkConnect, false},
    {"assert", kNone, false},
    {"assert/strict", kNone, false},
    {"async_hooks", kNone, false},
    {"buffer", kNone, false},
    {"child_process", kProcessSpawn, false},
    {"cluster", kProcessSpawn, false},
    {"console", kNone, false},
    {"constants", kNone, false},
    {"crypto", kNone, true},
    {"dgram", kNetworkConnect, true},
    {"diagnostics_channel", kIntrospection, false},
    {"dns", kNetworkConnect, false},
    {"dns/promises", kNetworkConnect, false},
    {"domain", kNone, false},
    {"events", kNone, false},
    {"ffi", kNativeCode, false},
    {"fs", kFilesOutside, true},
    {"fs/promises", kFilesOutside, true},
    {"http", kNetworkConnect, true},
    {"http2", kNetworkConnect, true},
    {"https", kNetworkConnect, true},
    {"inspector", kIntrospection, false},
    {"inspector/promises", kIntrospection, false},
    {"module", kDynamicCode, false},
    {"net", kNetworkConnect, true},
    {"os", kNone, true},
    {"path", kNone, false},
    {"path/posix", kNone, false},
    {"path/win32", kNone, false},
    {"perf_hooks", kNone, false},
    {"punycode", kNone, false},
    {"querystring", kNone, false},
    {"quic", kNetworkConnect, false},
    {"readline", kNone, false},
    {"readline/promises", kNone, false},
    {"repl", kDynamicCode, false},
    {"sea", kIntrospection, false},
    {"sqlite", kNativeCode, false},
    {"stream", kNone, false},
    {"stream/consumers", kNone, false},
    {"stream/promises", kNone, false},
    {"stream/web", kNone, false},
    {"string_decoder", kNone, false},
    {"sys", kNone, false},
    {"test", kNone, true},
    {"test/reporters", kNone, false},
    {"timers", kNone, false},
    {"timers/promises", kNone, false},
    {"tls", kNetworkConnect, true},
    {"trace_events", kIntrospection, false},
    {"tty", kNone, false},
    {"url", kNone, false},
    {"util", kNone, false},
    {"util/types", kNone, false},
    {"v8", kIntrospection, false},
    {"vm", kDynamicCode, false},
    {"wasi", kNativeCode, false},
    {"worker_threads", kDynamicCode, false},
    {"zlib", kNone, false},
};

struct Entry {
  std::string_view name;
  Member member;
};

// Names without "Sync".
constexpr Entry kFiles[] = {
    {"Dirent", {kNone}},
    {"Stats", {kNone}},
    {"access", {kFilesRead, 1}},
    {"appendFile", {kFilesWrite, 1, true}},
    {"chmod", {kSystemAdmin, 1, true}},
    {"chown", {kSystemAdmin, 1, true}},
    {"close", {kNone}},
    {"constants", {kNone}},
    {"copyFile", {kFilesWrite, 2}},
    {"cp", {kFilesWrite, 2}},
    {"createReadStream", {kFilesRead, 1}},
    {"createWriteStream", {kFilesWrite, 1, true}},
    {"exists", {kFilesRead, 1}},
    {"fchmod", {kSystemAdmin}},
    {"fchown", {kSystemAdmin}},
    {"fdatasync", {kNone}},
    {"fstat", {kNone}},
    {"fsync", {kNone}},
    {"ftruncate", {kFilesWrite}},
    {"futimes", {kFilesWrite}},
    {"glob", {kFilesRead, 1}},
    {"lchmod", {kSystemAdmin, 1, true}},
    {"lchown", {kSystemAdmin, 1, true}},
    {"link", {kFilesWrite, 2, true}},
    {"lstat", {kFilesRead, 1}},
    {"lutimes", {kFilesWrite, 1, true}},
    {"mkdir", {kFilesWrite, 1, true}},
    {"mkdtemp", {kFilesWrite, 1, true}},
    {"open", {kFilesRead, 1}},
    {"openAsBlob", {kFilesRead, 1}},
    {"opendir", {kFilesRead, 1}},
    {"read", {kFilesRead}},
    {"readFile", {kFilesRead, 1}},
    {"readdir", {kFilesRead, 1}},
    {"readlink", {kFilesRead, 1}},
    {"readv", {kFilesRead}},
    {"realpath", {kFilesRead, 1}},
    {"rename", {kFilesWrite, 2, true}},
    {"rm", {kFilesDelete, 1, true}},
    {"rmdir", {kFilesDelete, 1, true}},
    {"stat", {kFilesRead, 1}},
    {"statfs", {kFilesRead, 1}},
    {"symlink", {kFilesWrite, 2, true}},
    {"truncate", {kFilesWrite, 1, true}},
    {"unlink", {kFilesDelete, 1, true}},
    {"unwatchFile", {kNone}},
    {"utimes", {kFilesWrite, 1, true}},
    {"watch", {kFilesRead, 1}},
    {"watchFile", {kFilesRead, 1}},
    {"write", {kFilesWrite}},
    {"writeFile", {kFilesWrite, 1, true}},
    {"writev", {kFilesWrite}},
};

constexpr auto kListeners =
    text_list("Server", "createSecureServer", "createServer", "createSocket");
constexpr auto kHarmlessNetwork =
    text_list("METHODS", "STATUS_CODES", "constants", "isIP", "isIPv4", "isIPv6");

constexpr Entry kOs[] = {
    {"hostname", {kEnvironment}},
    {"networkInterfaces", {kEnvironment}},
    {"setPriority", {kSystemAdmin}},
    {"userInfo", {kEnvironment}},
};

constexpr std::string_view kProcessHarmless[] = {  // sorted
    "abort",
    "addListener",
    "allowedNodeEnvironmentFlags",
    "arch",
    "argv",
    "argv0",
    "availableMemory",
    "config",
    "constrainedMemory",
    "cpuUsage",
    "cwd",
    "emit",
    "emitWarning",
    "eventNames",
    "execArgv",
    "execPath",
    "exit",
    "exitCode",
    "features",
    "getMaxListeners",
    "getegid",
    "geteuid",
    "getgid",
    "getgroups",
    "getuid",
    "hrtime",
    "listenerCount",
    "memoryUsage",
    "nextTick",
    "off",
    "on",
    "once",
    "pid",
    "platform",
    "ppid",
    "prependListener",
    "release",
    "removeAllListeners",
    "removeListener",
    "resourceUsage",
    "setMaxListeners",
    "stderr",
    "stdin",
    "stdout",
    "title",
    "umask",
    "uptime",
    "version",
    "versions"};

constexpr Entry kProcess[] = {
    {"binding", {kNativeCode}},     {"chdir", {kFilesOutside, 1}},
    {"dlopen", {kNativeCode}},      {"env", {kEnvironment}},
    {"initgroups", {kSystemAdmin}}, {"kill", {kSignals}},
    {"setegid", {kSystemAdmin}},    {"seteuid", {kSystemAdmin}},
    {"setgid", {kSystemAdmin}},     {"setgroups", {kSystemAdmin}},
    {"setuid", {kSystemAdmin}},     {"getBuiltinModule", {kDynamicCode}},
    {"mainModule", {kDynamicCode}}, {"loadEnvFile", {kEnvironment}},
};

template <std::size_t kSize>
const Member* find_entry(const Entry (&entries)[kSize], std::string_view name) {
  for (const Entry& entry : entries) {
    if (entry.name == name) return &entry.member;
  }
  return nullptr;
}

}  // namespace

const Module* find_module(std::string_view specifier) {
  if (specifier.starts_with("node:")) specifier.remove_prefix(5);
  const auto* found = std::lower_bound(
      std::begin(kModules), std::end(kModules), specifier,
      [](const Module& module, std::string_view name) { return module.name < name; });
  return found != std::end(kModules) && found->name == specifier ? found : nullptr;
}

Member find_member(const Module& module, std::string_view name) {
  if (module.name.starts_with("fs")) {
    if (name.ends_with("Sync")) name.remove_suffix(4);
    if (name == "F_OK" || name == "R_OK" || name == "W_OK" || name == "X_OK") return {kNone};
    const Member* member = find_entry(kFiles, name);
    return member != nullptr ? *member : Member{module.capability};
  }
  if (module.name == "os") {
    const Member* member = find_entry(kOs, name);
    return member != nullptr ? *member : Member{};
  }
  if (module.name == "crypto") return {name == "setEngine" ? kNativeCode : kNone};
  if (module.name == "test") return {name == "run" ? kProcessSpawn : kNone};
  if (!module.mixed) return {module.capability};
  if (kHarmlessNetwork.contains(name)) return {};
  return {kListeners.contains(name) ? kNetworkListen : kNetworkConnect};
}

Member find_process_member(std::string_view name) {
  if (std::binary_search(std::begin(kProcessHarmless), std::end(kProcessHarmless), name)) return {};
  const Member* member = find_entry(kProcess, name);
  return member != nullptr ? *member : Member{kIntrospection};
}

bool is_risky_process_member(std::string_view name) {
  const Member* const member = find_entry(kProcess, name);
  return name == "env" || (member != nullptr && member->capability != Capability::kNone);
}

bool is_same_module(std::string_view member) {
  return member == "promises" || member == "default" || member == "posix" || member == "win32" ||
         member == "strict" || member == "globalAgent";
}

}  // namespace langsbx::languages::javascript
