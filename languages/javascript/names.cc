// The word table: open addressing, built by the compiler.
#include "languages/javascript/names.h"
#include "runtime/base/text_list.h"

#include <array>
#include <cstddef>

namespace langsbx::languages::javascript {
namespace {

struct Word {
  std::string_view text;
  Meaning meaning;
};

constexpr Word kWords[] = {
    {"eval", {Free::kDynamicCode, Dotted::kDynamicCode}},
    {"Function", {Free::kDynamicCode, Dotted::kDynamicCode}},
    {"AsyncFunction", {Free::kNone, Dotted::kDynamicCode}},
    {"GeneratorFunction", {Free::kNone, Dotted::kDynamicCode}},
    {"ShadowRealm", {Free::kDynamicCode, Dotted::kDynamicCode}},
    {"Worker", {Free::kDynamicCode, Dotted::kNone}},
    {"SharedWorker", {Free::kDynamicCode, Dotted::kNone}},
    {"importScripts", {Free::kDynamicCode, Dotted::kNone}},
    {"require", {Free::kRequire, Dotted::kDynamicCode}},
    {"createRequire", {Free::kNone, Dotted::kDynamicCode}},
    {"getBuiltinModule", {Free::kNone, Dotted::kDynamicCode}},
    {"mainModule", {Free::kNone, Dotted::kDynamicCode}},
    {"_load", {Free::kNone, Dotted::kCall}},
    {"_compile", {Free::kNone, Dotted::kCall}},
    {"_extensions", {Free::kNone, Dotted::kDynamicCode}},
    {"_linkedBinding", {Free::kNone, Dotted::kDynamicCode}},
    {"binding", {Free::kNone, Dotted::kCall}},
    {"dlopen", {Free::kNone, Dotted::kCall}},
    {"runInThisContext", {Free::kNone, Dotted::kDynamicCode}},
    {"runInNewContext", {Free::kNone, Dotted::kDynamicCode}},
    {"runInContext", {Free::kNone, Dotted::kDynamicCode}},
    {"module", {Free::kModule, Dotted::kNone}},
    {"process", {Free::kProcess, Dotted::kProcess}},
    {"globalThis", {Free::kGlobal, Dotted::kPrototype}},
    {"global", {Free::kGlobal, Dotted::kNone}},
    {"GLOBAL", {Free::kGlobal, Dotted::kNone}},
    {"window", {Free::kGlobal, Dotted::kNone}},
    {"self", {Free::kGlobal, Dotted::kNone}},
    {"Deno", {Free::kGlobal, Dotted::kNone}},
    {"Bun", {Free::kGlobal, Dotted::kNone}},
    {"WebAssembly", {Free::kNative, Dotted::kDynamicCode}},
    {"fetch", {Free::kNetwork, Dotted::kNone}},
    {"WebSocket", {Free::kNetwork, Dotted::kNone}},
    {"EventSource", {Free::kNetwork, Dotted::kNone}},
    {"XMLHttpRequest", {Free::kNetwork, Dotted::kNone}},
    {"Reflect", {Free::kPrototypeApi, Dotted::kNone}},
    {"Object", {Free::kPrototypeApi, Dotted::kNone}},
    {"setTimeout", {Free::kTimer, Dotted::kNone}},
    {"setInterval", {Free::kTimer, Dotted::kNone}},
    {"setImmediate", {Free::kTimer, Dotted::kNone}},
    {"arguments", {Free::kArguments, Dotted::kNone}},
    {"function", {Free::kFunction, Dotted::kNone}},
    {"with", {Free::kWith, Dotted::kNone}},
    {"import", {Free::kImport, Dotted::kNone}},
    {"export", {Free::kExport, Dotted::kNone}},
    {"constructor", {Free::kNone, Dotted::kConstructor}},
    {"__proto__", {Free::kNone, Dotted::kPrototype}},
    {"__defineGetter__", {Free::kNone, Dotted::kPrototype}},
    {"__defineSetter__", {Free::kNone, Dotted::kPrototype}},
    {"__lookupGetter__", {Free::kNone, Dotted::kPrototype}},
    {"__lookupSetter__", {Free::kNone, Dotted::kPrototype}},
    {"prepareStackTrace", {Free::kNone, Dotted::kPrototype}},
    {"getFunction", {Free::kNone, Dotted::kCall}},
    {"caller", {Free::kNone, Dotted::kPrototype}},
};

constexpr std::size_t kSlots = 512;

constexpr std::size_t hash_of(std::string_view word) {
  const auto at = [word](std::size_t i) { return static_cast<unsigned char>(word[i]); };
  return (word.size() * 37 + at(0) * std::size_t{5} + at(word.size() / 2) * std::size_t{11} +
          at(word.size() - 1) * std::size_t{3}) %
         kSlots;
}

constexpr std::array<std::uint8_t, kSlots> build_slots() {
  std::array<std::uint8_t, kSlots> slots{};
  for (std::size_t i = 0; i < std::size(kWords); ++i) {
    std::size_t slot = hash_of(kWords[i].text);
    while (slots[slot] != 0) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<std::uint8_t>(i + 1);
  }
  return slots;
}

constexpr std::array<std::uint8_t, kSlots> kTable = build_slots();

// What a computed key must not be, besides the members of the table above.
constexpr auto kTelltales =
    text_list("constructor", "__proto__", "prepareStackTrace", "mainModule", "createRequire",
              "getBuiltinModule", "_linkedBinding", "child_process");
constexpr auto kSensitive =
    text_list("constructor", "__proto__", "prepareStackTrace", "mainModule", "createRequire",
              "eval", "Function", "require", "getBuiltinModule", "_linkedBinding", "process",
              "globalThis", "WebAssembly", "__lookupGetter__", "__defineGetter__", "caller",
              "child_process", "binding", "dlopen", "_load", "_compile");

}  // namespace

constexpr scanner::WordFilter kMeaningfulWords = [] {
  scanner::WordFilter filter;
  for (const Word& word : kWords) filter.add(word.text);
  return filter;
}();

Meaning meaning_of(std::string_view word) {
  std::size_t slot = hash_of(word);
  while (kTable[slot] != 0) {
    const Word& candidate = kWords[kTable[slot] - 1U];
    if (candidate.text == word) return candidate.meaning;
    slot = (slot + 1) % kSlots;
  }
  return {};
}

bool is_sensitive_member(std::string_view name) { return kSensitive.contains(name); }

bool may_be_sensitive(std::string_view start, std::string_view tail) {
  if (start.size() + tail.size() < 2) return false;
  for (const std::string_view name : kSensitive) {
    if (name.size() >= start.size() + tail.size() && name.starts_with(start) &&
        name.ends_with(tail)) {
      return true;
    }
  }
  return false;
}

bool is_telltale(std::string_view text) {
  if (text.starts_with("node:")) text.remove_prefix(5);
  return kTelltales.contains(text);
}

}  // namespace langsbx::languages::javascript
