// One seccomp profile to one BPF program: libseccomp's output behind our stub.
#pragma once

#include <string_view>

#include "oci/spec_security.h"
#include "runtime/base/result.h"
#include "runtime/confine/seccomp.h"

namespace langsbx::confine {

struct CompiledProfile {
  SeccompFilter filter;
  SeccompSummary summary;
};

Result<CompiledProfile> compile_seccomp(const oci::Seccomp& profile, std::string_view name,
                                        UnknownCalls unknown_calls);
// "2.5.4": part of the cache's key.
std::string libseccomp_version();

}  // namespace langsbx::confine
