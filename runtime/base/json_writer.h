// JSON documents of ours, written straight into one text: a state file is written at every launch,
// and may hold megabytes of annotations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace langsbx {

// A member's name that is written as it is.
class JsonName {
 public:
  template <std::size_t kSize>
  consteval JsonName(const char (&text)[kSize]) : text_(text, kSize - 1) {  // NOLINT: implicit
    for (const char byte : text_) {
      if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\') throw "has to be escaped";
    }
  }
  [[nodiscard]] std::string_view view() const { return text_; }

 private:
  std::string_view text_;
};

class JsonWriter {
 public:
  // An object; `size` is a guess of what will be written.
  explicit JsonWriter(std::size_t size = 0) : text_(size + 1, '{') {}

  // Bytes that are no UTF-8 are replaced.
  void add(JsonName name, std::string_view value);
  void add(JsonName name, const char* value) { add(name, std::string_view(value)); }
  void add(JsonName name, const std::string& value) { add(name, std::string_view(value)); }
  void add(JsonName name, bool value);
  void add(JsonName name, std::uint64_t value);
  void add(JsonName name, const std::vector<std::string>& values);
  // A document by itself; nothing stands for null.
  void add_json(JsonName name, std::string_view document);
  // A member whose name is any text.
  void add_entry(std::string_view name, std::string_view value);

  void open_object(JsonName name);
  void open_list(JsonName name);
  void open_item();                       // an object in a list
  void add_item(std::string_view value);  // a text in a list
  void close_object() { put('}'); }
  void close_list() { put(']'); }
  std::string finish();

 private:
  char* room(std::size_t size);
  void put(char byte) { *room(1) = byte; }
  void put(std::string_view text);
  void separate();
  void begin(JsonName name);
  void quote(std::string_view text);

  std::string text_;      // longer than what was written
  std::size_t size_ = 1;  // of that
};

}  // namespace langsbx
