// The names that mean something to the judge, found by one hash probe while tokenizing.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

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
  kWriteText,
  kWriteBytes,
  kTouch,
  kRename,
  kReplace,
  kWithSuffix,
  kWithName,
  kWithStem,
  kJoinPath,
  kSuffix,
  kExec,
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
  std::uint8_t uses = 0;
  Capability capability = Capability::kNone;
};

[[nodiscard]] const NameInfo& name_info(std::uint16_t index);
[[nodiscard]] std::string_view name_text(std::uint16_t index);
// Whether some known name other than a keyword begins so.
[[nodiscard]] bool begins_known_name(std::string_view prefix);

// What a name is hashed and compared by: its first and last eight bytes and its length.
struct NameKey {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint32_t length = 0;

  constexpr bool operator==(const NameKey&) const = default;
  [[nodiscard]] constexpr std::uint32_t hash() const {
    const std::uint64_t mixed = (first ^ std::rotl(last, 23) ^ length) * 0x9E3779B97F4A7C15U;
    return static_cast<std::uint32_t>(mixed >> 32U);
  }
};

constexpr std::uint64_t load_up_to_8(const char* data, std::size_t length) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < length; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(data[i])) << (8 * i);
  }
  return value;
}

constexpr NameKey name_key(std::string_view name) {
  const std::size_t head = name.size() < 8 ? name.size() : 8;
  return {load_up_to_8(name.data(), head), load_up_to_8(name.data() + name.size() - head, head),
          static_cast<std::uint32_t>(name.size())};
}

// The same where eight bytes from `data` on can be read, however short the name is.
inline NameKey name_key_padded(const char* data, std::size_t length) {
  NameKey key{0, 0, static_cast<std::uint32_t>(length)};
  if constexpr (std::endian::native != std::endian::little) return name_key({data, length});
  std::memcpy(&key.first, data, 8);
  if (length >= 8) {
    std::memcpy(&key.last, data + length - 8, 8);
  } else {
    key.first &= (1ULL << (8 * length)) - 1;
    key.last = key.first;
  }
  return key;
}

constexpr std::uint32_t hash_name(std::string_view name) { return name_key(name).hash(); }

// A sparse table with the rest of the hash beside the index, so that a miss touches no text.
struct NameSlot {
  std::uint16_t name = 0;
  std::uint16_t check = 0;
};
constexpr std::size_t kNameSlots = 4096;
struct NameTable {
  std::array<NameSlot, kNameSlots> slots{};
  std::array<NameKey, kNameSlots / 4> keys{};
  // Whether the walk has anything to ask of a name; not of most keywords and of `self`.
  std::array<bool, kNameSlots / 4> asked{};
};
extern const NameTable kNameTable;

// The index of a known name, or 0. Keys of up to sixteen bytes tell names apart, longer ones need
// the text.
[[nodiscard]] inline std::uint16_t find_name(std::string_view name, const NameKey& key,
                                             std::uint32_t hash) {
  for (std::size_t at = hash % kNameSlots;; at = (at + 1) % kNameSlots) {
    const NameSlot slot = kNameTable.slots[at];
    if (slot.name == 0) return 0;
    if (slot.check != hash >> 16U || !(kNameTable.keys[slot.name] == key)) continue;
    if (key.length <= 16 || name_text(slot.name) == name) return slot.name;
  }
}
[[nodiscard]] inline std::uint16_t find_name(std::string_view name, std::uint32_t hash) {
  return find_name(name, name_key(name), hash);
}

[[nodiscard]] inline bool is_dunder(std::string_view name) {
  return name.size() > 4 && name[0] == '_' && name[1] == '_' && name.ends_with("__");
}

}  // namespace langsbx::languages::python
