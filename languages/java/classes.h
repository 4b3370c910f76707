// What packages and classes of the JDK reach for.
#pragma once

#include <string_view>

#include "languages/finding.h"
#include "languages/scanner/words.h"

namespace langsbx::languages::java {

struct Reach {
  bool known = false;  // false: not part of the JDK
  Capability capability = Capability::kNone;
};

// Of a dotted name: "java.util.List", "java.net.*", "java.lang.Runtime.getRuntime".
[[nodiscard]] Reach reach_of(std::string_view qualified);

// Whether some class of the package is told apart from the others.
[[nodiscard]] bool holds_entries(std::string_view package);

// Whether the name belongs to the JDK, whatever a source file calls its own package.
[[nodiscard]] bool is_platform_name(std::string_view qualified);

// What a class is to the judge when it is named without a package.
enum class Special : std::uint8_t {
  kNone,
  kBlocked,  // any mention counts
  kRuntime,  // only Runtime.getRuntime().<harmless>
  kSystem,   // members are told apart
  kClass,    // Class.forName and the like
  kFile,     // takes paths
};

struct SpecialClass {
  std::string_view name;
  std::string_view package;  // "java.lang" needs no import
  Special special = Special::kNone;
  Capability capability = Capability::kNone;
};

// By simple name; nullptr for most words. Called for every capitalised identifier.
[[nodiscard]] const SpecialClass* find_special(std::string_view simple);

// The class of the JDK that a piece of a file without imports means by a simple name, where it
// matters; empty for most words.
[[nodiscard]] std::string_view implied_class(std::string_view simple);

// Words that begin what the judge learns, and those that count at the start of an expression.
inline constexpr scanner::WordFilter kLearnt{
    std::to_array<std::string_view>({"class", "interface", "enum", "record", "String", "var"})};
inline constexpr scanner::WordFilter kLeading{std::to_array<std::string_view>(
    {"native", "java", "javax", "jdk", "sun", "com", "org", "netscape"})};
// The names that meaning_of_method knows, and all three.
extern const scanner::WordFilter kMethodWords;
extern const scanner::WordFilter kMarkedWords;

// What System.NAME reaches for.
[[nodiscard]] Capability reach_of_system(std::string_view member);
[[nodiscard]] bool is_harmless_runtime(std::string_view member);

enum class Called : std::uint8_t { kNone, kReflection, kNetwork };
// Methods that count on any receiver.
[[nodiscard]] Called meaning_of_method(std::string_view name);

// What a method of Files, and a constructor of a file class, does with its paths.
struct FileUse {
  Capability capability = Capability::kNone;
  int paths = 0;
  bool writes = false;
};
[[nodiscard]] FileUse use_of_file(std::string_view owner, std::string_view member);

}  // namespace langsbx::languages::java
