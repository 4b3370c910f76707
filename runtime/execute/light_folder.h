// The private folders of a run in the light tier: host directories that go with the run.
#pragma once

#include <sys/types.h>

#include <string>

#include "runtime/base/result.h"
#include "runtime/execute/sandbox_spec.h"
#include "runtime/execute/watch.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::execute {

// The directory of all runs of this user, and of images: made where it is missing, ours alone.
Result<std::string> private_base();
// Where the folders of run `id` are going to be: <TMPDIR or /tmp>/langsbx-execute-<uid>/<id>/.
Places light_places(const std::string& id);

class LightFolder {
 public:
  // Makes both folders with the program's files; folders of runs whose langsbx is dead go first.
  static Result<LightFolder> make(const Program& program);
  LightFolder(LightFolder&& other) noexcept = default;
  LightFolder& operator=(LightFolder&&) = delete;
  ~LightFolder();

  [[nodiscard]] int work() const { return work_.get(); }
  // Holds "source" and "work", and what else its user makes.
  [[nodiscard]] std::string path() const;

 private:
  LightFolder() = default;
  std::string name_;
  UniqueFd parent_;  // of all runs of this user
  UniqueFd work_;
};

// What is in a directory; counts to the limit and no further.
DiskUse folder_use(int directory, std::uint64_t limit);

}  // namespace langsbx::execute
