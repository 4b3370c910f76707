// The OCI runtime of the maximum tier.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace langsbx::execute {

// `named`, or the first known one that isolates more than namespaces do.
Result<std::string> find_oci_runtime(const std::string& named);

}  // namespace langsbx::execute
