// "idmap=uids=0-1-10#10-11-10;gids=0-100-10": crun's mount option with mappings of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oci/spec.h"
#include "runtime/base/result.h"

namespace langsbx::plan {

struct IdMapOption {
  std::vector<oci::IdMapping> uids;
  std::vector<oci::IdMapping> gids;
};

// `value` is what follows "idmap=". Each range is id in the file system, id on the host, length; a
// "@" in front means that the second is an id of the container, translated by its own mappings.
// `field` names the mount in errors.
Result<IdMapOption> parse_idmap_option(std::string_view value,
                                       const std::vector<oci::IdMapping>& container_uids,
                                       const std::vector<oci::IdMapping>& container_gids,
                                       const std::string& field);

}  // namespace langsbx::plan
