// How a JSON value becomes a member of a C++ value: the types of which the tables are made.
//
// A Type says what a JSON value must look like and where its parts go; an object's Type is made of
// a table of Fields, one for each property. decode() streams a document through such Types. The
// tables are constants (table_*.cc); which Type a member gets follows from the member's C++ type.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::oci::decode {

enum class ScalarKind : std::uint8_t { kNull, kBool, kNumber, kString };

struct Scalar {
  ScalarKind kind = ScalarKind::kNull;
  bool boolean = false;
  std::string_view text;  // kNumber: as written; kString: unescaped
};

// What a message says was expected.
enum class Expected : std::uint8_t {
  kInteger,
  kString,
  kBool,
  kArray,
  kObject,
  kObjectOrArray,
  kRight,
  kNothing,
};

struct Type;

// The Type of a value and the place for it.
struct Slot {
  const Type* type = nullptr;
  void* target = nullptr;
};

enum class Shape : std::uint8_t {
  kScalar,
  kObject,
  kArray,
  kMap,
  kRaw,  // a field whose value, whatever it is, is kept as text; null is an empty one
};

// One row of an object's table. `open` gives the member (made present); `reset` undoes that on
// null.
struct Field {
  std::string_view name;
  const Type* type = nullptr;
  void* (*open)(void* object) = nullptr;
  void (*reset)(void* object) = nullptr;
  bool required = false;
};

struct Type {
  Shape shape = Shape::kScalar;
  Expected expected = Expected::kNothing;
  std::uint8_t accepts = 0;     // a scalar: bits 1 << ScalarKind
  bool refuse_unknown = false;  // an object that is not the specification's: nothing is dropped
  bool single_allowed = false;  // an array: an object instead of an array of one
  std::span<const Field> fields = {};  // an object's
  // A scalar's: what is wrong with the value, or an empty string when it was stored. Called only
  // for the kinds of scalar in `accepts`.
  std::string (*store)(void* target, const Scalar& scalar) = nullptr;
  // An array's new element, or a map's of this key.
  Slot (*add)(void* whole, std::string_view key) = nullptr;
  // An array that comes again loses its elements; null: what comes again adds to them.
  void (*clear)(void* whole) = nullptr;
};

struct Limits {
  std::size_t bytes = std::size_t{16} << 20U;
  int depth = 64;
  std::size_t elements = std::size_t{1} << 20U;  // of all arrays and maps together
};

// `file` stands before each error: "config.json: linux.resources.memory.limit: expected ...".
// Properties that no table knows are skipped; of properties that occur twice the last counts, and
// "CPU" is "cpu" where only that is known. What is no text becomes U+FFFD. All as in Go.
Result<void> decode(std::string_view json, const Type& root, void* target, std::string_view file,
                    const Limits& limits = {});

constexpr std::uint8_t accepts(ScalarKind kind) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
}

// ---- scalars ----

std::string out_of_range(std::string_view text, std::int64_t low, std::uint64_t high);

template <std::integral T, T low, T high>
std::string store_integer(void* target, const Scalar& scalar) {
  const std::string_view text = scalar.text;
  // Go refuses 1.0 and 1e3 for an integer as well.
  if (text.find_first_of(".eE") != std::string_view::npos) return "expected an integer";
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high)
    return out_of_range(text, static_cast<std::int64_t>(low), static_cast<std::uint64_t>(high));
  *static_cast<T*>(target) = value;
  return {};
}

template <std::integral T, T low = std::numeric_limits<T>::min(),
          T high = std::numeric_limits<T>::max()>
inline constexpr Type kInteger{.expected = Expected::kInteger,
                               .accepts = accepts(ScalarKind::kNumber),
                               .store = store_integer<T, low, high>};

std::string store_string(void* target, const Scalar& scalar);
std::string store_bool(void* target, const Scalar& scalar);
inline constexpr Type kString{
    .expected = Expected::kString, .accepts = accepts(ScalarKind::kString), .store = store_string};
inline constexpr Type kBool{
    .expected = Expected::kBool, .accepts = accepts(ScalarKind::kBool), .store = store_bool};

inline constexpr Type kRaw{.shape = Shape::kRaw};  // its target is a std::string

// ---- objects, arrays, maps ----

// Decoder::Frame remembers the fields it has seen in one word.
inline constexpr std::size_t kMostFields = 32;

template <const auto& kFields>
constexpr Type object(bool refuse_unknown = false) {
  static_assert(std::size(kFields) <= kMostFields);
  return Type{.shape = Shape::kObject,
              .expected = Expected::kObject,
              .refuse_unknown = refuse_unknown,
              .fields = kFields};
}

template <typename Vector, const Type* kElement>
Slot add_element(void* target, std::string_view /*key*/) {
  constexpr std::size_t kFirst = 8;
  auto& array = *static_cast<Vector*>(target);
  // From one to two to four elements would be three moves of nearly every array.
  if (array.capacity() == 0) array.reserve(kFirst);
  return {kElement, &array.emplace_back()};
}

template <typename Vector, const Type* kElement>
constexpr Type array() {
  return Type{.shape = Shape::kArray,
              .expected = Expected::kArray,
              .add = add_element<Vector, kElement>,
              .clear = [](void* target) { static_cast<Vector*>(target)->clear(); }};
}

template <typename Map, const Type* kElement>
Slot add_entry(void* target, std::string_view key) {
  return {kElement, &(*static_cast<Map*>(target))[std::string(key)]};
}

template <typename Map, const Type* kElement>
constexpr Type map() {
  return Type{.shape = Shape::kMap, .expected = Expected::kObject, .add = add_entry<Map, kElement>};
}

// ---- from a member's C++ type to its Type ----

// A struct's table is announced by an overload `const Type* type_of(Tag<Struct>)` in tables.h.
template <typename T>
struct Tag {};

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

constexpr const Type* type_of(Tag<std::string>) { return &kString; }
constexpr const Type* type_of(Tag<bool>) { return &kBool; }
template <std::integral T>
constexpr const Type* type_of(Tag<T>) {
  return &kInteger<T>;
}
template <typename T>
constexpr const Type* type_of(Tag<std::optional<T>>) {
  return type_of(Tag<T>{});
}
template <typename T>
inline constexpr Type kArrayOf = array<std::vector<T>, type_of(Tag<T>{})>();
template <typename T>
constexpr const Type* type_of(Tag<std::vector<T>>) {
  return &kArrayOf<T>;
}
template <typename T>
inline constexpr Type kMapOf = map<std::map<std::string, T>, type_of(Tag<T>{})>();
template <typename T>
constexpr const Type* type_of(Tag<std::map<std::string, T>>) {
  return &kMapOf<T>;
}

template <typename>
struct MemberOf;
template <typename Class, typename Member>
struct MemberOf<Member Class::*> {
  using Object = Class;
  using Value = Member;
};

template <auto member>
void* open_member(void* object) {
  using Object = typename MemberOf<decltype(member)>::Object;
  auto& value = static_cast<Object*>(object)->*member;
  if constexpr (kIsOptional<std::remove_cvref_t<decltype(value)>>) {
    // A property that occurs twice goes on filling the same object, as in Go.
    if (!value) value.emplace();
    return &*value;
  } else {
    return &value;
  }
}

template <auto member>
void reset_member(void* object) {
  using Object = typename MemberOf<decltype(member)>::Object;
  using Value = typename MemberOf<decltype(member)>::Value;
  // As in Go, null empties what can be absent and leaves numbers, strings and booleans alone.
  if constexpr (!std::integral<Value> && !std::same_as<Value, std::string>)
    static_cast<Object*>(object)->*member = Value{};
}

template <auto member>
constexpr Field field(std::string_view name, const Type* type) {
  return Field{name, type, open_member<member>, reset_member<member>};
}
template <auto member>
constexpr Field field(std::string_view name) {
  using Value = typename MemberOf<decltype(member)>::Value;
  return field<member>(name, type_of(Tag<Value>{}));
}

constexpr Field required(Field field) {
  field.required = true;
  return field;
}

// A nested JSON object whose properties are members of the same C++ value.
constexpr Field nested(std::string_view name, const Type* type) {
  return Field{name, type, [](void* object) { return object; }, nullptr};
}

}  // namespace langsbx::oci::decode
