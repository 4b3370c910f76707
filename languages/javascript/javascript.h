// JavaScript and TypeScript: one judge, two languages.
#pragma once

#include "languages/language.h"

namespace langsbx::languages::javascript {

extern const Language kLanguage;
extern const Language kTypeScript;

}  // namespace langsbx::languages::javascript
