// The config.json that `spec` writes.
#pragma once

#include <sys/types.h>

#include <string>

namespace langsbx::cmd {

struct SpecTemplate {
  bool cgroup_namespace = false;  // where cgroup2 is mounted
  bool rootless = false;          // one user mapped, nothing that needs root
  uid_t uid = 0;                  // of the caller, for rootless
  gid_t gid = 0;
};

std::string spec_template_json(const SpecTemplate& what);

}  // namespace langsbx::cmd
