// How each client is told of langsbx: from what its files say to what they shall say. Nothing here
// reads or writes a file itself.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::clients {

// What is registered.
struct Handler {
  std::string name = "langsbx";
  std::string binary;   // absolute
  std::string profile;  // of the guard; empty: as annotations and the administrator say
  std::string image = "langsbx-installer:latest";  // for Kubernetes
};

struct Host {
  // Nothing when there is no such file.
  std::function<Result<std::optional<std::string>>(const std::string& path)> read;
  // The names in a folder, sorted; none when there is no such folder.
  std::function<Result<std::vector<std::string>>(const std::string& folder)> list;
  // Where a user without root keeps settings; empty for root.
  std::string user_config;
};

struct FileChange {
  std::string path;
  std::optional<std::string> text;  // nothing: removed
  mode_t mode = 0644;
  bool ours = false;  // wholly written by us: no copy of the old one is worth keeping
};

struct Plan {
  std::vector<FileChange> changes;  // a file that says so already may be among them
  std::vector<std::string> notes;
  std::string print;  // instead of changes, for the caller to apply
};

struct Client {
  std::string_view name;
  std::string_view restart;  // what makes it read its files again
  Result<Plan> (*install)(const Host& host, const Handler& handler) = nullptr;
  Result<Plan> (*uninstall)(const Host& host, const Handler& handler) = nullptr;
};

extern const Client kDocker;
extern const Client kContainerd;
extern const Client kCrio;
extern const Client kPodman;
extern const Client kKubernetes;

std::span<const Client* const> all_clients();
const Client* find_client(std::string_view name);

// Names and paths end in JSON, TOML, YAML and a shell script: only letters that mean nothing there.
Result<void> check_handler(const Handler& handler);

// Docker can pass arguments; for the others a profile needs a program of its own that adds it, one
// a client: what is installed for one says nothing about another's.
std::string launcher_path(const Client& client, const Handler& handler);
// Gives the program to name in the client's files.
std::string add_launcher(const Client& client, const Handler& handler, Plan& plan);
Result<void> remove_launcher(const Client& client, const Host& host, const Handler& handler,
                             Plan& plan);

}  // namespace langsbx::clients
