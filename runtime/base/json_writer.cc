// Quoting and separating.
#include "runtime/base/json_writer.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

namespace langsbx {
namespace {

// Printable ASCII but quote and backslash, eight bytes at a time.
bool is_plain(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHigh = 0x80 * kOnes;
  constexpr unsigned char kFirst = 0x20;
  constexpr unsigned char kLast = 0x7e;
  std::uint64_t odd = 0;
  for (; text.size() >= sizeof odd; text.remove_prefix(sizeof odd)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data(), sizeof bytes);
    const auto has = [&](unsigned char byte) {
      const std::uint64_t differing = bytes ^ byte * kOnes;
      return (differing - kOnes) & ~differing;
    };
    odd |= bytes | (bytes - kFirst * kOnes) | has(kLast + 1) | has('"') | has('\\');
  }
  return (odd & kHigh) == 0 && std::all_of(text.begin(), text.end(), [](unsigned char byte) {
           return byte >= kFirst && byte <= kLast && byte != '"' && byte != '\\';
         });
}

[[gnu::cold]] std::string escaped(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

void JsonWriter::separate() {
  if (text_.back() != '{' && text_.back() != '[') text_ += ',';
}

void JsonWriter::begin(std::string_view name) {
  separate();
  quote(name);
  text_ += ':';
}

void JsonWriter::quote(std::string_view text) {
  if (!is_plain(text)) {
    text_ += escaped(text);
    return;
  }
  text_ += '"';
  text_ += text;
  text_ += '"';
}

void JsonWriter::add(std::string_view name, std::string_view value) {
  begin(name);
  quote(value);
}

void JsonWriter::add(std::string_view name, bool value) {
  begin(name);
  text_ += value ? "true" : "false";
}

void JsonWriter::add(std::string_view name, std::uint64_t value) {
  begin(name);
  char digits[20];
  text_.append(digits, std::to_chars(std::begin(digits), std::end(digits), value).ptr);
}

void JsonWriter::add(std::string_view name, const std::vector<std::string>& values) {
  open_list(name);
  for (const auto& value : values) {
    separate();
    quote(value);
  }
  close_list();
}

void JsonWriter::add_json(std::string_view name, std::string_view document) {
  begin(name);
  text_ += document.empty() ? "null" : document;
}

void JsonWriter::open_object(std::string_view name) {
  begin(name);
  text_ += '{';
}

void JsonWriter::open_list(std::string_view name) {
  begin(name);
  text_ += '[';
}

void JsonWriter::open_item() {
  separate();
  text_ += '{';
}

std::string JsonWriter::finish() {
  close_object();
  return std::move(text_);
}

}  // namespace langsbx
