// Language, profile and policy of a request.
#include "runtime/execute/case.h"

#include "languages/registry.h"
#include "runtime/confine/seccomp.h"
#include "runtime/guard/profile_directories.h"
#include "runtime/kernel/file.h"

namespace langsbx::execute {
namespace {

Result<const languages::Language*> language_of(const Request& request) {
  if (!request.language.empty()) {
    const auto* found = languages::find_language(request.language);
    if (found != nullptr) return found;
    return make_error(ErrorKind::kInvalidInput,
                      "--language: \"" + request.language + "\" is not known");
  }
  const auto* found = languages::language_of_file(request.file, request.source);
  if (found != nullptr) return found;
  return make_error(
      ErrorKind::kInvalidInput,
      request.file + ": neither its extension nor its \"#!\" says the language; use --language");
}

// Nothing is missing that could be installed.
Result<languages::Profile> named_profile(const languages::Language& language,
                                         const std::string& name) {
  auto found = languages::load_profile(language, name, guard::find_in({guard::kProfileDirectory}));
  if (found.ok()) return found;
  auto error = found.release_error();
  error.kind = ErrorKind::kInvalidInput;
  return error;
}

// A profile by the path of its file, by name from the administrator's directory, or a shipped one.
Result<languages::Profile> load_profile(const languages::Language& language,
                                        const std::string& name) {
  if (name.find('/') == std::string::npos) return named_profile(language, name);
  auto profile = TRY(languages::read_profile(TRY_CONTEXT(read_file(name), "--profile"), name));
  if (profile.language != language.name) {
    return make_error(ErrorKind::kInvalidInput, name + ": is for " + profile.language + ", not " +
                                                    std::string(language.name));
  }
  if (profile.extends.empty()) return profile;
  auto parent = TRY(named_profile(language, profile.extends));
  return languages::merge(std::move(parent), std::move(profile));
}

// A container's own network has nothing in it.
Result<Network> network_of(const Request& request, const languages::Profile& profile) {
  const bool hosts = !request.allowed_hosts.empty();
  if (request.network) return *request.network;
  if (profile.network == "proxy") {
    if (hosts) return Network::kProxy;
    return make_error(ErrorKind::kInvalidInput,
                      "profile " + profile.name + ": network: proxy needs --allow-host");
  }
  if (hosts) {
    return make_error(ErrorKind::kInvalidInput, "--network proxy and --allow-host need each other");
  }
  return profile.network == "host" ? Network::kHost : Network::kNone;
}

}  // namespace

Result<Case> open_case(const Request& request) {
  Case made;
  made.language = TRY(language_of(request));
  made.toolchain = TRY(find_toolchain(made.language->name));
  made.profile = TRY(load_profile(*made.language, request.profile));
  made.network = TRY(network_of(request, made.profile));
  // Who names a network wants it used; what the profile denies by name stays denied.
  if (made.network != Network::kNone) made.profile.allow.emplace_back("network.connect");
  made.policy = languages::make_policy(made.profile);
  if (!request.folder.empty()) {
    made.folder.emplace(
        TRY(guard::ContainerFiles::open("/", made.policy.max_bytes, {}, request.folder)));
  }
  // What the work directory is called inside is the work area too.
  for (auto* paths : {&made.policy.paths_read, &made.policy.paths_write}) {
    paths->emplace_back(kWorkFolder);
  }
  return made;
}

bool enforces(const Case& made, std::string_view stage, bool otherwise) {
  const auto found = made.profile.stages.find(stage);
  if (found == made.profile.stages.end()) return otherwise;
  return found->second == languages::StageMode::kEnforce;
}

std::string seccomp_name(const Case& made) {
  if (made.profile.seccomp) return *made.profile.seccomp;
  return std::string(made.language->launch->seccomp);
}

}  // namespace langsbx::execute
