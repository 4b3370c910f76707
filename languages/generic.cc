// Patterns known from many scripting languages (Ruby, Perl, PHP, Lua, Tcl, R ...).
#include "languages/generic.h"

#include "languages/patterns.h"
#include "languages/shared_rules.h"

namespace langsbx::languages {
namespace {

struct Shape {
  std::string_view text;  // as in a profile's patterns
  Capability capability;
};

constexpr Shape kShapes[] = {
    {"system(", Capability::kProcessSpawn},
    {"system ", Capability::kProcessSpawn},
    {"exec(", Capability::kProcessSpawn},
    {"exec ", Capability::kProcessSpawn},
    {"popen", Capability::kProcessSpawn},
    {"shell_exec", Capability::kProcessSpawn},
    {"passthru", Capability::kProcessSpawn},
    {"proc_open", Capability::kProcessSpawn},
    {"pcntl_", Capability::kProcessSpawn},
    {"spawn", Capability::kProcessSpawn},
    {"fork", Capability::kProcessSpawn},
    {"`", Capability::kProcessSpawn},
    {"%x", Capability::kProcessSpawn},
    {"qx", Capability::kProcessSpawn},
    {"Open3", Capability::kProcessSpawn},
    {"os.execute", Capability::kProcessSpawn},
    {"io.popen", Capability::kProcessSpawn},
    {"eval", Capability::kDynamicCode},
    {"loadstring", Capability::kDynamicCode},
    {"dofile", Capability::kDynamicCode},
    {"instance_variable", Capability::kIntrospection},
    {"send(", Capability::kIntrospection},
    {"const_get", Capability::kIntrospection},
    {"socket", Capability::kNetworkConnect},
    {"Socket", Capability::kNetworkConnect},
    {"http://", Capability::kNetworkConnect},
    {"https://", Capability::kNetworkConnect},
    {"Net::", Capability::kNetworkConnect},
    {"curl_", Capability::kNetworkConnect},
    {"fsockopen", Capability::kNetworkConnect},
    {"IO::Socket", Capability::kNetworkConnect},
    {"unlink", Capability::kFilesDelete},
    {"rm_rf", Capability::kFilesDelete},
    {"/etc/", Capability::kFilesOutside},
    {"/proc/", Capability::kFilesOutside},
    {"/root", Capability::kFilesOutside},
    {"../", Capability::kFilesOutside},
    {"Marshal.load", Capability::kDeserialise},
    {"unserialize", Capability::kDeserialise},
    {"Storable", Capability::kDeserialise},
    {"YAML.load", Capability::kDeserialise},
    {"Fiddle", Capability::kNativeCode},
    {"DynaLoader", Capability::kNativeCode},
    {"ffi", Capability::kNativeCode},
    {"syscall", Capability::kNativeCode},
    {"kill", Capability::kSignals},
    {"ENV", Capability::kEnvironment},
    {"getenv", Capability::kEnvironment},
    {"/dev/tcp", Capability::kNetworkConnect},
};

void judge_generic(const Source& source, const Policy& policy, Findings& findings) {
  if (!policy.allows(Capability::kDynamicCode)) {
    findings.add("language-unknown"_rule, 0, 0,
                 policy.language.empty() ? "generic" : policy.language);
  }
  for (const Shape& shape : kShapes) {
    for (std::size_t at = source.bytes.find(shape.text); at != std::string_view::npos;
         at = source.bytes.find(shape.text, at + shape.text.size())) {
      findings.add("generic-pattern"_rule, shape.capability, at, shape.text.size(), shape.text);
      if (findings.full()) return;
    }
  }
  for (const Pattern::Where where : {Pattern::Where::kCode, Pattern::Where::kString,
                                     Pattern::Where::kComment, Pattern::Where::kCommand}) {
    match_patterns(policy, where, source.bytes, 0, findings);
  }
}

constexpr BuiltinProfile kProfiles[] = {
    {"default",
     "# No judge: refused, whatever it says.\n"
     "name: default\n"
     "description: Languages that nobody here understands. Refused.\n"},
    {"patterns",
     "# For administrators who accept patterns as all there is.\n"
     "name: patterns\n"
     "description: Judged by patterns only; the kernel's rules are the boundary.\n"
     "capabilities: {allow: [dynamic-code, files.read, files.write]}\n"},
};

constinit const Language kLanguage = {
    .name = "generic",
    .title = "Any other language",
    .aliases = {},
    .extensions = {},
    .interpreters = {},
    .rules = {},  // in the shared table
    .builtin_profiles = kProfiles,
    .preflight = {},
    .judge = judge_generic,
};

}  // namespace

const Language& generic_language() { return kLanguage; }

}  // namespace langsbx::languages
