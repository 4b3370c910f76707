// Tables of config.json's top level: root, mounts, hooks.
#include "oci/tables.h"

namespace langsbx::oci::decode {
namespace {

constexpr Field kRootFields[] = {
    required(field<&Root::path>("path")),
    field<&Root::readonly>("readonly"),
};
constexpr Type kRoot = object<kRootFields>();

constexpr Field kMountFields[] = {
    required(field<&Mount::destination>("destination")),
    field<&Mount::type>("type"),
    field<&Mount::source>("source"),
    field<&Mount::options>("options"),
    field<&Mount::uid_mappings>("uidMappings"),
    field<&Mount::gid_mappings>("gidMappings"),
};
constexpr Type kMount = object<kMountFields>();
constexpr Type kMounts = array<std::vector<Mount>, &kMount>();

constexpr Field kHookFields[] = {
    required(field<&Hook::path>("path")),
    field<&Hook::args>("args"),
    field<&Hook::env>("env"),
    field<&Hook::timeout>("timeout"),
};
constexpr Type kHook = object<kHookFields>();
constexpr Type kHookList = array<std::vector<Hook>, &kHook>();

constexpr Field kHooksFields[] = {
    field<&Hooks::prestart>("prestart", &kHookList),
    field<&Hooks::create_runtime>("createRuntime", &kHookList),
    field<&Hooks::create_container>("createContainer", &kHookList),
    field<&Hooks::start_container>("startContainer", &kHookList),
    field<&Hooks::poststart>("poststart", &kHookList),
    field<&Hooks::poststop>("poststop", &kHookList),
};
constexpr Type kHooks = object<kHooksFields>();

constexpr Field kSpecFields[] = {
    required(field<&Spec::oci_version>("ociVersion")),
    field<&Spec::process>("process"),
    field<&Spec::root>("root", &kRoot),
    field<&Spec::hostname>("hostname"),
    field<&Spec::domainname>("domainname"),
    field<&Spec::mounts>("mounts", &kMounts),
    field<&Spec::hooks>("hooks", &kHooks),
    field<&Spec::annotations>("annotations"),
    field<&Spec::linux_>("linux"),
};

}  // namespace

constinit const Type kSpecTable = object<kSpecFields>();

}  // namespace langsbx::oci::decode
