// Every rule of JavaScript and TypeScript.
#pragma once

#include <array>

#include "languages/javascript/rules/blocked_member.h"
#include "languages/javascript/rules/blocked_module.h"
#include "languages/javascript/rules/code_in_string.h"
#include "languages/javascript/rules/computed_module.h"
#include "languages/javascript/rules/constructor.h"
#include "languages/javascript/rules/dynamic_code.h"
#include "languages/javascript/rules/encoding.h"
#include "languages/javascript/rules/file_path.h"
#include "languages/javascript/rules/global_object.h"
#include "languages/javascript/rules/hidden_name.h"
#include "languages/javascript/rules/module_internals.h"
#include "languages/javascript/rules/native_code.h"
#include "languages/javascript/rules/network_global.h"
#include "languages/javascript/rules/not_understood.h"
#include "languages/javascript/rules/process_member.h"
#include "languages/javascript/rules/process_value.h"
#include "languages/javascript/rules/profile_name.h"
#include "languages/javascript/rules/prototype.h"
#include "languages/javascript/rules/reference_path.h"
#include "languages/javascript/rules/require_value.h"
#include "languages/javascript/rules/too_deep.h"
#include "languages/javascript/rules/unknown_module.h"
#include "languages/javascript/rules/with_statement.h"

namespace langsbx::languages::javascript {

inline constexpr auto kRules = std::to_array<const Rule*>({
    &kBlockedMember,   &kBlockedModule, &kCodeInString,  &kComputedModule, &kConstructor,
    &kDynamicCode,     &kEncoding,      &kFilePath,      &kGlobalObject,   &kHiddenName,
    &kModuleInternals, &kNativeCode,    &kNetworkGlobal, &kNotUnderstood,  &kProcessMember,
    &kProcessValue,    &kProfileName,   &kPrototype,     &kReferencePath,  &kRequireValue,
    &kTooDeep,         &kUnknownModule, &kWithStatement,
});

}  // namespace langsbx::languages::javascript
