// The private folders of a run in the light tier: host directories that go with the run.
#pragma once

#include <sys/types.h>

#include <string>

#include "runtime/base/result.h"
#include "runtime/execute/sandbox_spec.h"
#include "runtime/execute/watch.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::execute {

// Where the folders of run `id` are going to be.
Places light_places(const std::string& base, const std::string& id);
// Removes what is left of runs whose langsbx was killed.
void sweep_left_folders();

class LightFolder {
 public:
  // Makes both folders in `base`, with the program's files.
  static Result<LightFolder> make(const std::string& base, const Program& program);
  LightFolder(LightFolder&& other) noexcept = default;
  LightFolder& operator=(LightFolder&&) = delete;
  ~LightFolder();

  [[nodiscard]] int work() const { return work_.get(); }
  // Holds "source" and "work", and what else its user makes.
  [[nodiscard]] std::string path() const;

 private:
  LightFolder() = default;
  std::string base_, name_;
  UniqueFd parent_;  // of all runs of this user
  UniqueFd folder_;  // locked as long as we live
  UniqueFd work_;
};

// What is in a directory; counts to the limit and no further.
DiskUse folder_use(int directory, std::uint64_t limit);

}  // namespace langsbx::execute
