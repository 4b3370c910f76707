// Compiled filters kept between containers: <state root>/.cache/seccomp/<hash of the key>.
//
// An entry holds its whole key (the profile's bytes, options, library version), so a hash collision
// is a miss, and a checksum, so a torn file is one too. The directory and every entry must belong
// to the calling user and be writable by nobody else. The cache never fails a start.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oci/spec_security.h"
#include "runtime/confine/seccomp_compile.h"

namespace langsbx::confine {

std::string seccomp_cache_key(const oci::Seccomp& profile, std::string_view json,
                              std::string_view name, bool fail_unknown_syscalls);

std::optional<CompiledProfile> read_seccomp_cache(const std::string& directory,
                                                  std::string_view key);
// Writes atomically; when more than 64 entries are there, the oldest go.
void write_seccomp_cache(const std::string& directory, std::string_view key,
                         const CompiledProfile& compiled);

}  // namespace langsbx::confine
