// linux.intelRdt: a container's class of service and monitoring group in resctrl.
#pragma once

#include <sys/types.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "oci/spec.h"
#include "runtime/base/result.h"

namespace langsbx::runtime {

// A directory in resctrl that was made for one container alone; removed again unless kept.
class ResctrlDirectory {
 public:
  ResctrlDirectory() = default;
  explicit ResctrlDirectory(std::string path) : path_(std::move(path)) {}
  ResctrlDirectory(ResctrlDirectory&& other) noexcept : path_(other.keep()) {}
  ResctrlDirectory& operator=(ResctrlDirectory&& other) noexcept;
  ~ResctrlDirectory();
  [[nodiscard]] const std::string& path() const { return path_; }
  std::string keep() { return std::exchange(path_, {}); }

 private:
  std::string path_;
};

// The directory that join_intel_rdt() is going to make, for a record written before: whoever finds
// the remains of a killed create knows it. Empty when none will be made.
std::string planned_resctrl_directory(const oci::IntelRdt& settings, const std::string& id);
// Puts the process into its class. Empty when nothing was made for this container alone.
Result<ResctrlDirectory> join_intel_rdt(const oci::IntelRdt& settings, const std::string& id,
                                        pid_t pid);
// `update`: new schemata for the class that the settings name.
Result<void> update_intel_rdt(const oci::IntelRdt& settings, const std::string& id);

// `intel_rdt` of `events`; an empty object when there is no resctrl.
nlohmann::ordered_json intel_rdt_stats(const oci::IntelRdt& settings, const std::string& id);
// The same from given directories: the mount point, the class, the group that is monitored.
nlohmann::ordered_json read_resctrl_stats(const std::string& mount, const std::string& group,
                                          const std::string& monitor);

}  // namespace langsbx::runtime
