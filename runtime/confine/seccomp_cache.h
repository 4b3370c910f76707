// Compiled filters kept between containers (kernel/kept_files.h): the key is the profile's bytes,
// options and the library's version.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oci/spec_security.h"
#include "runtime/confine/seccomp_compile.h"

namespace langsbx::confine {

std::string seccomp_cache_key(const oci::Seccomp& profile, std::string_view json,
                              std::string_view name, UnknownCalls unknown_calls);

std::optional<CompiledProfile> read_seccomp_cache(const std::string& directory,
                                                  std::string_view key);
void write_seccomp_cache(const std::string& directory, std::string_view key,
                         const CompiledProfile& compiled);

}  // namespace langsbx::confine
