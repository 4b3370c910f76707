// How a JSON value becomes a member of a C++ value: the types of which the tables are made.
//
// A Type says what a JSON value must look like and where its parts go; an object's Type is a table
// of Fields, one for each property. decode() streams a document through such tables. The tables
// are constants (table_*.cc); which Type a member gets follows from the member's C++ type.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
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

struct Field;

// Exactly one of the four shapes: a scalar (store), an object (fields), an array (append) or an
// object with free names (insert).
struct Type {
  std::string_view expected;  // "an integer", for "expected ..."
  // What is wrong with the value, or an empty string when it was stored. Called only for the kinds
  // of scalar in `accepts`.
  std::string (*store)(void* target, const Scalar& scalar) = nullptr;
  std::uint8_t accepts = 0;  // bits 1 << ScalarKind
  const Field* fields = nullptr;
  std::size_t field_count = 0;
  bool refuse_unknown = false;  // an object that is not the specification's: nothing is dropped
  const Type* element = nullptr;
  bool single_allowed = false;             // an object instead of an array of one
  void* (*append)(void* array) = nullptr;  // gives the new element
  void (*clear)(void* container) = nullptr;
  void* (*insert)(void* map, std::string_view key) = nullptr;
};

// One property. `open` gives the member (made present); `reset` undoes that on null.
struct Field {
  std::string_view name;
  const Type* type = nullptr;
  void* (*open)(void* object) = nullptr;
  void (*reset)(void* object) = nullptr;
  bool required = false;
};

struct Limits {
  std::size_t bytes = std::size_t{16} << 20U;
  int depth = 64;
  std::size_t elements = std::size_t{1} << 20U;  // of all arrays and maps together
};

// `file` stands before each error: "config.json: linux.resources.memory.limit: expected ...".
// Properties that no table knows are skipped; of properties that occur twice the last counts.
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
inline constexpr Type kInteger{.expected = "an integer",
                               .store = store_integer<T, low, high>,
                               .accepts = accepts(ScalarKind::kNumber)};

std::string store_string(void* target, const Scalar& scalar);
std::string store_bool(void* target, const Scalar& scalar);
inline constexpr Type kString{
    .expected = "a string", .store = store_string, .accepts = accepts(ScalarKind::kString)};
inline constexpr Type kBool{
    .expected = "true or false", .store = store_bool, .accepts = accepts(ScalarKind::kBool)};

// ---- objects, arrays, maps ----

template <std::size_t count>
constexpr Type object(const Field (&fields)[count], bool refuse_unknown = false) {
  return Type{.expected = "an object",
              .fields = fields,
              .field_count = count,
              .refuse_unknown = refuse_unknown};
}

// A place more. From one to two to four elements would be three moves of nearly every array.
template <typename Vector>
void* append_to(void* target) {
  constexpr std::size_t kFirst = 8;
  auto& array = *static_cast<Vector*>(target);
  if (array.capacity() == 0) array.reserve(kFirst);
  return &array.emplace_back();
}

// `single_allowed`: an object may stand for an array of it.
template <typename Vector>
constexpr Type array(const Type* element, bool single_allowed = false) {
  return Type{.expected = "an array",
              .element = element,
              .single_allowed = single_allowed,
              .append = append_to<Vector>,
              .clear = [](void* target) { static_cast<Vector*>(target)->clear(); }};
}

template <typename Map>
constexpr Type map(const Type* element) {
  return Type{.expected = "an object",
              .element = element,
              .clear = [](void* target) { static_cast<Map*>(target)->clear(); },
              .insert = [](void* target, std::string_view key) -> void* {
                return &(*static_cast<Map*>(target))[std::string(key)];
              }};
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
inline constexpr Type kArrayOf = array<std::vector<T>>(type_of(Tag<T>{}));
template <typename T>
constexpr const Type* type_of(Tag<std::vector<T>>) {
  return &kArrayOf<T>;
}
template <typename T>
inline constexpr Type kMapOf = map<std::map<std::string, T>>(type_of(Tag<T>{}));
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
  return Field{name, type, open_member<member>, reset_member<member>, false};
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
  return Field{name, type, [](void* object) { return object; }, nullptr, false};
}

}  // namespace langsbx::oci::decode
