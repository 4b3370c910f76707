// python-deserialise: builds objects from bytes: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kDeserialise = {"python-deserialise",
                                      FindingType::kBlockedFunction,
                                      Capability::kDeserialise,
                                      Severity::kError,
                                      "builds objects from bytes: {}",
                                      "pickle and its kin call whatever function the bytes name.",
                                      "Use json, csv, or numpy files without objects."};

}  // namespace langsbx::languages::python
