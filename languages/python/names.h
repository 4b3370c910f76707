// The names that mean something to the judge, found by one hash probe while tokenizing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "languages/finding.h"

namespace langsbx::languages::python {

// Names that the analysis asks for by number; the first entries of the table, in this order.
enum KnownName : std::uint16_t {
  kUnknownName,
  kImport,
  kFrom,
  kAs,
  kDef,
  kClass,
  kLambda,
  kReturn,
  kYield,
  kAwait,
  kNot,
  kAnd,
  kOr,
  kIf,
  kElse,
  kElif,
  kIn,
  kIs,
  kFor,
  kWhile,
  kWith,
  kDel,
  kGlobal,
  kNonlocal,
  kExcept,
  kAssert,
  kRaise,
  kTry,
  kFinally,
  kPass,
  kBreak,
  kContinue,
  kAsync,
  kTrue,
  kFalse,
  kNoneName,
  kMatch,
  kCase,
  kOpenName,
  kGetattr,
  kSetattr,
  kDelattr,
  kHasattr,
  kVars,
  kGlobals,
  kLocals,
  kTypeName,
  kFormat,
  kSelf,
  kCls,
  kSuper,
  kParseArgs,
  kParseKnownArgs,
  kDunderDict,
  kObj,
  kDunderMatchArgs,
  kDunderSetattr,
  kStr,
  kIsinstance,
  kIssubclass,
  kEval,
  kObjectName,
  kQuery,
  kDunderDoc,
  kDunderTest,
  kFilename,
  kImportFunction,
  kRaw,
  kRun,
  kTimeitName,
  kRegister,
  kCall,
  kEvalFile,
  kHelp,
  kDunderNew,
  kDunderClass,
  kCommand,
  kArgv,
  kFirstPlainName
};

enum NameUse : std::uint8_t {
  kKeyword = 1,         // never a value
  kBuiltin = 2,         // as a bare name it reaches `capability`
  kAttribute = 4,       // as an attribute of anything it reaches `capability`
  kDunderAllowed = 8,   // a dunder that may be read as an attribute
  kDunderDefined = 16,  // a dunder that may be defined or assigned in a class
  kDunderDenied = 32,   // a dunder that may not even stand in a string
  kFrame = 64,          // an attribute that leads to frames or code objects
  kLeak = 128,          // an attribute under which modules leak
};

struct NameInfo {
  std::string_view text;
  std::uint8_t uses = 0;
  Capability capability = Capability::kNone;
};

[[nodiscard]] const NameInfo& name_info(std::uint16_t index);

constexpr std::uint64_t load_up_to_8(const char* data, std::size_t length) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < length; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(data[i])) << (8 * i);
  }
  return value;
}

// The first and last eight bytes and the length, mixed. Looks past the name where the text allows
// it, because one masked load is cheaper than a loop.
constexpr std::uint32_t mix_name(std::uint64_t first, std::uint64_t last, std::size_t length) {
  std::uint64_t hash = (first ^ (last << 1U) ^ (last >> 63U) ^ length) * 0x9E3779B97F4A7C15U;
  hash ^= hash >> 29U;
  return static_cast<std::uint32_t>((hash * 0xBF58476D1CE4E5B9U) >> 32U);
}

constexpr std::uint32_t hash_name(std::string_view bytes, std::size_t start, std::size_t length) {
  const char* data = bytes.data() + start;
  const std::size_t head = length < 8 ? length : 8;
  if (std::is_constant_evaluated() || start + 8 > bytes.size()) {
    return mix_name(load_up_to_8(data, head), load_up_to_8(data + length - head, head), length);
  }
  std::uint64_t first = 0;
  std::memcpy(&first, data, 8);
  if (length < 8) first &= (1ULL << (8 * length)) - 1;
  std::uint64_t last = first;
  if (length > 8) std::memcpy(&last, data + length - 8, 8);
  return mix_name(first, last, length);
}

constexpr std::uint32_t hash_name(std::string_view name) { return hash_name(name, 0, name.size()); }

// The index of a known name, or 0.
[[nodiscard]] std::uint16_t find_name(std::string_view name, std::uint32_t hash);

[[nodiscard]] inline bool is_dunder(std::string_view name) {
  return name.size() > 4 && name[0] == '_' && name[1] == '_' && name.ends_with("__");
}

}  // namespace langsbx::languages::python
