// Quoting and separating.
#include "runtime/base/json_writer.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace langsbx {
namespace {

// Eight bytes, of which some may be a text's twice or stand in for what it does not have.
std::uint64_t word_at(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::uint64_t word_of(std::string_view shorter) {
  char bytes[sizeof(std::uint64_t)] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};
  constexpr std::size_t kHalf = sizeof bytes / 2;
  if (shorter.size() >= kHalf) {
    std::memcpy(bytes, shorter.data(), kHalf);
    std::memcpy(bytes + kHalf, shorter.data() + shorter.size() - kHalf, kHalf);
  } else if (!shorter.empty()) {
    bytes[0] = shorter.front();
    bytes[1] = shorter[shorter.size() / 2];
    bytes[2] = shorter.back();
  }
  return word_at(bytes);
}

// The highest bit of a byte is set if one at or below it is not printable ASCII, or a quote or
// backslash.
std::uint64_t odd_in(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr unsigned char kFirst = 0x20;
  constexpr unsigned char kLast = 0x7e;
  const auto has = [word](unsigned char byte) {
    const std::uint64_t differing = word ^ byte * kOnes;
    return (differing - kOnes) & ~differing;
  };
  return word | (word - kFirst * kOnes) | has(kLast + 1) | has('"') | has('\\');
}

bool is_plain(std::string_view text) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  if (text.size() < kWord) return (odd_in(word_of(text)) & kHigh) == 0;
  std::uint64_t odd = odd_in(word_at(text.data() + text.size() - kWord));
  for (; text.size() > kWord; text.remove_prefix(kWord)) odd |= odd_in(word_at(text.data()));
  return (odd & kHigh) == 0;
}

[[gnu::cold]] std::string escaped(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

// Where `size` bytes more are written.
char* JsonWriter::room(std::size_t size) {
  const std::size_t needed = size_ + size;
  if (needed > text_.size()) text_.resize(std::max(needed, 2 * text_.size()));
  return text_.data() + std::exchange(size_, needed);
}

void JsonWriter::put(std::string_view text) { text.copy(room(text.size()), text.size()); }

void JsonWriter::separate() {
  const char last = text_[size_ - 1];
  if (last != '{' && last != '[') put(',');
}

void JsonWriter::begin(JsonName name) {
  separate();
  const auto text = name.view();
  char* const at = room(text.size() + 3);
  at[0] = '"';
  text.copy(at + 1, text.size());
  at[text.size() + 1] = '"';
  at[text.size() + 2] = ':';
}

void JsonWriter::quote(std::string_view text) {
  if (!is_plain(text)) return put(escaped(text));
  char* const at = room(text.size() + 2);
  at[0] = '"';
  text.copy(at + 1, text.size());
  at[text.size() + 1] = '"';
}

void JsonWriter::add(JsonName name, std::string_view value) {
  begin(name);
  quote(value);
}

void JsonWriter::add(JsonName name, bool value) {
  begin(name);
  put(value ? std::string_view("true") : std::string_view("false"));
}

void JsonWriter::add(JsonName name, std::uint64_t value) {
  begin(name);
  char digits[20];
  const char* const end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  put({digits, static_cast<std::size_t>(end - digits)});
}

void JsonWriter::add(JsonName name, const std::vector<std::string>& values) {
  open_list(name);
  for (const auto& value : values) add_item(value);
  close_list();
}

void JsonWriter::add_json(JsonName name, std::string_view document) {
  begin(name);
  put(document.empty() ? std::string_view("null") : document);
}

void JsonWriter::add_entry(std::string_view name, std::string_view value) {
  separate();
  quote(name);
  put(':');
  quote(value);
}

void JsonWriter::open_object(JsonName name) {
  begin(name);
  put('{');
}

void JsonWriter::open_list(JsonName name) {
  begin(name);
  put('[');
}

void JsonWriter::open_item() {
  separate();
  put('{');
}

void JsonWriter::add_item(std::string_view value) {
  separate();
  quote(value);
}

std::string JsonWriter::finish() {
  close_object();
  text_.resize(size_);
  return std::move(text_);
}

}  // namespace langsbx
