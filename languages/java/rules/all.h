// Every rule of Java.
#pragma once

#include <array>

#include "languages/java/rules/blocked_class.h"
#include "languages/java/rules/blocked_member.h"
#include "languages/java/rules/blocked_package.h"
#include "languages/java/rules/encoding.h"
#include "languages/java/rules/file_path.h"
#include "languages/java/rules/native_method.h"
#include "languages/java/rules/not_understood.h"
#include "languages/java/rules/profile_name.h"
#include "languages/java/rules/reflection.h"
#include "languages/java/rules/service_module.h"
#include "languages/java/rules/too_deep.h"
#include "languages/java/rules/unicode_escape.h"
#include "languages/java/rules/unknown_package.h"

namespace langsbx::languages::java {

inline constexpr auto kRules = std::to_array<const Rule*>({
    &kBlockedClass,
    &kBlockedMember,
    &kBlockedPackage,
    &kEncoding,
    &kFilePath,
    &kNativeMethod,
    &kNotUnderstood,
    &kProfileName,
    &kReflection,
    &kServiceModule,
    &kTooDeep,
    &kUnicodeEscape,
    &kUnknownPackage,
});

}  // namespace langsbx::languages::java
