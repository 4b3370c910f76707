// Whether a launch exposes our own binary to the container, and what then is done (CVE-2019-5736,
// CVE-2016-9962).
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/confine/landlock.h"

namespace langsbx::runtime {

struct Exposure {
  const confine::LandlockPlan* landlock = nullptr;  // of the program
  bool shares_pids = false;  // processes of other containers see the launch from its first moment
  std::vector<int> preserved_fds;
};

// May execute the whole command anew from a protected twin of the binary: call it before anything
// is made. Free where Landlock closes the way already: in its domain our binary, which is beneath
// no path of the container, can be neither executed nor written, and our processes can't be looked
// into.
Result<void> protect_from_container(const Exposure& exposure);
// The same before a file is read that can't be read twice (a pipe); nothing for a regular file.
Result<void> protect_before_reading(const std::string& file, const std::vector<int>& preserved_fds);

// While it lives, children are born undumpable: no process of a pid namespace that they are born
// into may trace them or read their /proc entries, not even before their first instruction.
class UndumpableChildren {
 public:
  explicit UndumpableChildren(bool wanted);
  // Whether it came about.
  [[nodiscard]] Result<void> check() const;
  ~UndumpableChildren();
  UndumpableChildren(const UndumpableChildren&) = delete;
  UndumpableChildren& operator=(const UndumpableChildren&) = delete;

 private:
  bool restore_;
  int failed_ = 0;  // errno
};

}  // namespace langsbx::runtime
