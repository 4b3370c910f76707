// Quoting and separating.
#include "runtime/base/json_writer.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

namespace langsbx {
namespace {

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) {
    return byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
  });
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
