// crun's status file.
#include "runtime/state/crun_status.h"

#include <limits.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "runtime/kernel/file.h"

namespace langsbx::state {
namespace {

constexpr const char* kStatusFile = "status";

std::string descriptors_of(const std::string& process) {
  auto links = nlohmann::json::array();
  for (const char* name : {"0", "1", "2"}) {
    char target[PATH_MAX];
    const std::string path = process + "/fd/" + name;
    const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
    links.push_back(length < 0 ? std::string()
                               : std::string(target, static_cast<std::size_t>(length)));
  }
  return links.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string crun_status_json(const Record& record, const CrunStatus& status,
                             const std::string& owner, const std::string& proc) {
  nlohmann::ordered_json out;
  out["pid"] = record.init_pid;
  out["process-start-time"] = record.init_start_time;
  out["cgroup-path"] = status.cgroup_path;
  out["scope"] = status.scope;
  out["rootfs"] = record.rootfs;
  out["systemd-cgroup"] = status.systemd_cgroup;
  out["bundle"] = record.bundle;
  out["created"] = record.created;
  out["owner"] = owner;
  out["detached"] = status.detached;
  out["external_descriptors"] = descriptors_of(proc + "/" + std::to_string(record.init_pid));
  return out.dump(4, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<void> write_crun_status(const Container& container, const Record& record,
                               const CrunStatus& status) {
  return replace_file_at(container.fd(), kStatusFile,
                         crun_status_json(record, status, user_name(::geteuid())), 0600);
}

}  // namespace langsbx::state
