// The new mount API: mounts are made detached, changed there, and attached to a descriptor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx {

// A superblock being configured (fsopen, or fspick of an existing mount).
class FsContext {
 public:
  static Result<FsContext> open(const std::string& type);
  static Result<FsContext> pick(int mount);
  Result<void> set_flag(const std::string& key);
  Result<void> set_string(const std::string& key, const std::string& value);
  Result<void> create();
  Result<void> reconfigure();
  // The mount, with MOUNT_ATTR_* set.
  Result<UniqueFd> mount(std::uint64_t attributes);
  // Its own descriptor, to be closed together with others.
  UniqueFd release() { return std::move(fd_); }

 private:
  Result<void> call(unsigned command, const char* key, const char* value);
  UniqueFd fd_;
  std::string type_;
};

// mount(2) of a new file system on `target`: one call where fsopen and its kin
// need ten, when nothing has to be done to the mount before it is attached. `data` is
// "key=value,flag". Of MOUNT_ATTR_* it takes nosuid, nodev, noexec, the times of access and rdonly,
// which closes the whole file system; for others it says kUnsupported. It can't say which option
// was wrong: ask FsContext.
Result<void> mount_new(const std::string& type, const std::string& source,
                       const std::string& target, std::uint64_t attributes,
                       const std::string& data);
// mount(2) of what is at `source` over `target`, with all mounts below it when recursive. Names in
// the working directory are found in a fifth of the time that descriptor_path takes.
Result<void> mount_bind(const char* source, const char* target, bool recursive = false);

// Clone of the mount (with all below it when recursive) that `path` names, relative to `directory`
// (empty path: the descriptor itself). Detached: attached nowhere, dissolved when closed.
Result<UniqueFd> clone_mount(int directory, const std::string& path, bool recursive,
                             bool follow = true);
// Attaches a detached mount over the object that `target` is open on, or over `name` in it, which
// is not followed when it is a symlink.
Result<void> attach_mount(int mount, int target, const char* name = "");
// mount_setattr of what the descriptor is open on, or of what is mounted at `name` in it;
// `recursive` covers all mounts below. Falls back to mount(2) on kernels without it.
struct MountAttributes {
  std::uint64_t set = 0;
  std::uint64_t clear = 0;
  std::uint64_t propagation = 0;  // MS_SHARED, ...
  int user_namespace = -1;        // with MOUNT_ATTR_IDMAP in set
  bool operator==(const MountAttributes&) const = default;
};
Result<void> set_mount_attributes(int mount, const MountAttributes& attributes, bool recursive,
                                  const char* name = "");
// mount(NULL, path, NULL, propagation, NULL)
Result<void> set_propagation(const char* path, unsigned long flags);
// The working directory becomes the root; the old one lies under it, on the same place.
Result<void> pivot_to_working_directory();

}  // namespace langsbx
