// What limit files held before `update` wrote them, to bring it back when a later one refuses: the
// specification wants a failed operation to leave things as if it had never been tried.
#pragma once

#include <string>
#include <vector>

#include "runtime/cgroup/plan.h"

namespace langsbx::cgroup {

class Rollback {
 public:
  // Reads the files that `writes` are going to change.
  void remember(const std::vector<Write>& writes, const std::vector<Placement>& placements);
  // Writes the old values back, last ones first. The files that refused.
  [[nodiscard]] std::vector<std::string> restore() const;

 private:
  struct Saved {
    std::string path;
    std::vector<std::string> values;  // one write(2) each
  };
  void remember_file(const Write& write, const std::string& path);
  void remember_devices(const std::string& directory);
  std::vector<Saved> saved_;
};

}  // namespace langsbx::cgroup
