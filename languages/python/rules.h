// Every rule of Python; each stands in a file of its own with its fixture beside it.
#pragma once

#include <array>

#include "languages/python/rules/blocked_attribute.h"
#include "languages/python/rules/blocked_function.h"
#include "languages/python/rules/blocked_module.h"
#include "languages/python/rules/class_from_text.h"
#include "languages/python/rules/computed_attribute.h"
#include "languages/python/rules/deserialise.h"
#include "languages/python/rules/dynamic_code.h"
#include "languages/python/rules/environment.h"
#include "languages/python/rules/file_access.h"
#include "languages/python/rules/format_field.h"
#include "languages/python/rules/frame_attribute.h"
#include "languages/python/rules/introspection.h"
#include "languages/python/rules/leaked_module.h"
#include "languages/python/rules/module_as_value.h"
#include "languages/python/rules/nesting.h"
#include "languages/python/rules/network.h"
#include "languages/python/rules/outside_path.h"
#include "languages/python/rules/process.h"
#include "languages/python/rules/special_name.h"
#include "languages/python/rules/star_import.h"
#include "languages/python/rules/syntax.h"
#include "languages/python/rules/text_as_code.h"
#include "languages/python/rules/unknown_module.h"
#include "languages/python/rules/unlisted_module.h"
#include "languages/python/rules/unseen_template.h"

namespace langsbx::languages::python {

inline constexpr std::array<const Rule*, 25> kRules = {
    &kBlockedModule, &kUnknownModule,   &kUnlistedModule,   &kLeakedModule,   &kModuleAsValue,
    &kStarImport,    &kBlockedFunction, &kBlockedAttribute, &kDynamicCode,    &kIntrospection,
    &kDunder,        &kFrameAttribute,  &kDynamicAttribute, &kFormatTemplate, &kFormatField,
    &kClassFromText, &kFileAccess,      &kOutsidePath,      &kProcess,        &kNetwork,
    &kEnvironment,   &kDeserialise,     &kTextAsCode,       &kSyntax,         &kNesting};

}  // namespace langsbx::languages::python
