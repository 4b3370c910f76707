// Containers by the names that people have: an engine's id, or the beginning of one, in the folders
// where engines have their runtimes keep state.
#pragma once

#include <string>
#include <vector>

#include "cmd/langsbx/global.h"
#include "runtime/base/result.h"

namespace langsbx::cmd {

// Docker's, containerd's, Podman's, CRI-O's and the users'; those that are there and that nobody
// but our own user can write, each once.
// `top`: the root of the file system, for tests.
std::vector<std::string> engine_roots(const std::string& top = "");

struct Found {
  std::string root;
  std::string id;
};
// With --root given, or with a container of that id in the default root: that one, so that nothing
// changes for engines. Else the one container of ours in an engine's folder that has this id, or
// whose id alone begins so. None: the default root, where opening it then fails as always.
Result<Found> find_container(const Global& global, const std::string& name);

}  // namespace langsbx::cmd
