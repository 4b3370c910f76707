// v2 unified: values for files by name, whatever the controller.
#include "runtime/cgroup/controllers.h"

namespace langsbx::cgroup::v2 {

Result<void> plan_unified(const std::map<std::string, std::string>& unified, Writes& out) {
  for (const auto& [file, value] : unified) {
    const auto dot = file.find('.');
    const auto refuse = [&name = file](const char* why) {
      return make_error(ErrorKind::kInvalidInput,
                        "linux.resources.unified: \"" + name + "\" " + why);
    };
    if (file.find('/') != std::string::npos) return refuse("must be a file name (no slashes)");
    if (dot == std::string::npos || dot == 0 || dot + 1 == file.size()) {
      return refuse("must be in the form CONTROLLER.PARAMETER");
    }
    std::string controller = file.substr(0, dot);
    if (controller == "cgroup") {
      // Core files move processes and kill; only the two that limit are resources.
      if (file != "cgroup.max.depth" && file != "cgroup.max.descendants") {
        return refuse("is not a resource");
      }
      controller.clear();
    }
    out.add(std::move(controller), file, value, "unified." + file).by_line = true;
  }
  return {};
}

}  // namespace langsbx::cgroup::v2
