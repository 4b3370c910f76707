// state.json of a container: every choice of `create` that a later call needs, since clients
// don't repeat their flags. Written by us alone; read strictly all the same.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace langsbx::state {

struct Record {
  std::string id;
  std::string oci_version;  // of config.json
  std::string bundle;       // absolute
  std::string rootfs;       // absolute
  std::string created;      // RFC 3339
  std::map<std::string, std::string> annotations;

  // `create` writes a first record before it makes anything that outlives it, so that whoever
  // finds its remains knows them; and a last one, complete, when init waits at the start gate.
  bool complete = false;
  pid_t init_pid = 0;
  std::uint64_t init_start_time = 0;  // clock ticks since boot, see process_start_time()

  std::string runtime_name;  // as which program `create` was called: "langsbx", "runc", "crun"
  bool rootless = false;
  bool no_pivot = false;
  bool no_new_keyring = false;
  bool terminal = false;
  std::string notify_socket;      // $NOTIFY_SOCKET of `create`: where `start` relays READY=1
  std::string resctrl_directory;  // made by us for intelRdt, removed by `delete`
  // True: `start` and `delete` have to read config.json, as it has poststart or poststop hooks or a
  // seccomp listener. A record that does not say so is of an older version.
  bool asks_config = true;

  // JSON texts of their owners: cgroup::to_json, confine::report_json, the guard's settings. Empty:
  // none.
  std::string cgroup;
  std::string confinement;
  std::string guard;
};

std::string to_json(const Record& record);
// `file` is for messages.
Result<Record> record_from_json(std::string_view json, std::string_view file);

}  // namespace langsbx::state
