// The file "status" in a container's directory, as tools that look into crun's state read it. Only
// written when we are called crun; nothing of ours reads it.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/state/store.h"

namespace langsbx::state {

struct CrunStatus {
  std::string cgroup_path;  // below the hierarchy's mount point
  std::string scope;        // systemd's unit
  bool systemd_cgroup = false;
  bool detached = false;
};

// `external_descriptors` of the document is itself JSON: where init's first three descriptors lead.
std::string crun_status_json(const Record& record, const CrunStatus& status,
                             const std::string& owner, const std::string& proc = "/proc");
Result<void> write_crun_status(const Container& container, const Record& record,
                               const CrunStatus& status);

}  // namespace langsbx::state
