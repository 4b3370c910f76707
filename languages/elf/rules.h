// Every rule about object files.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::elf {

extern const Rule kBrokenObject;
extern const Rule kBlockedSymbol;
extern const Rule kUnknownSymbol;
extern const Rule kIndirect;
extern const Rule kSystemCall;
extern const Rule kWritableCode;
extern const Rule kExecutableStack;
extern const Rule kStrangeSection;
extern const Rule kObjectStart;
extern const Rule kDataInCode;

}  // namespace langsbx::languages::elf
