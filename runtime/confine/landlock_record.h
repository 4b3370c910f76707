// How a recorded Landlock plan is read, by itself and as a part of the confinement's record.
#pragma once

#include <string_view>

#include "oci/decode.h"
#include "runtime/base/result.h"
#include "runtime/confine/landlock.h"

namespace langsbx::confine {

extern const oci::decode::Type kLandlockPlan;
// What the table can't say. Errors begin with `name`.
Result<void> check_record(const LandlockPlan& plan, std::string_view name);

}  // namespace langsbx::confine
