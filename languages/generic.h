// The fallback for interpreters without a judge: byte checks and patterns, refused unless the
// policy says that is enough.
#pragma once

#include "languages/language.h"
#include "languages/policy.h"

namespace langsbx::languages {

// Not in the registry: it is chosen by the caller when no language fits. Under a policy that does
// not allow `dynamic-code` every source is refused as unjudged; under one that does, words and
// call shapes known from many languages are looked for, each with the capability it gives.
[[nodiscard]] const Language& generic_language();

}  // namespace langsbx::languages
