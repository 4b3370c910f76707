// How much of Landlock a container must have: who may say so.
#include <algorithm>

#include "runtime/guard/settings.h"

namespace langsbx::guard {

Result<confine::LandlockMode> settle_landlock(
    const Administrator& administrator, const std::string& flag,
    const std::map<std::string, std::string>& annotations) {
  const auto annotation = annotations.find("io.langsbx.landlock");
  struct Wish {
    Origin origin;
    const char* name;
    std::string text;
  };
  const Wish wishes[] = {{Origin::kFlag, "--landlock", flag},
                         {Origin::kAnnotation, "annotation io.langsbx.landlock",
                          annotation == annotations.end() ? "" : annotation->second}};
  auto mode = administrator.landlock;
  const auto& loosen = administrator.may_loosen_landlock;
  for (const Wish& wish : wishes) {
    if (wish.text.empty()) continue;
    const auto word = confine::landlock_mode_from(wish.text);
    const std::string said = std::string(wish.name) + ": \"" + wish.text + "\"";
    if (!word) {
      return make_error(ErrorKind::kInvalidInput,
                        said + " is none of " + std::string(confine::kLandlockModes));
    }
    const bool may = std::find(loosen.begin(), loosen.end(), wish.origin) != loosen.end();
    if (mode && *word != *mode && *word != confine::LandlockMode::kRequired && !may) {
      return make_error(ErrorKind::kInvalidInput,
                        said + " would loosen \"" + std::string(to_string(*mode)) +
                            "\", which is set already; the administrator may allow it under "
                            "`landlock: {loosen: [...]}` in " +
                            kConfigFile);
    }
    mode = word;
  }
  return mode.value_or(confine::LandlockMode::kAuto);
}

}  // namespace langsbx::guard
