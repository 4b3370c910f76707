// JSON documents of ours, written straight into one text: a state file is written at every launch,
// and may hold megabytes of annotations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace langsbx {

class JsonWriter {
 public:
  // An object; `size` is a guess of what will be written.
  explicit JsonWriter(std::size_t size = 0) { text_.reserve(size); }

  // Bytes that are no UTF-8 are replaced.
  void add(std::string_view name, std::string_view value);
  void add(std::string_view name, const char* value) { add(name, std::string_view(value)); }
  void add(std::string_view name, const std::string& value) { add(name, std::string_view(value)); }
  void add(std::string_view name, bool value);
  void add(std::string_view name, std::uint64_t value);
  void add(std::string_view name, const std::vector<std::string>& values);
  // A document by itself; nothing stands for null.
  void add_json(std::string_view name, std::string_view document);

  void open_object(std::string_view name);
  void open_list(std::string_view name);
  void open_item();  // an object in a list
  void close_object() { text_ += '}'; }
  void close_list() { text_ += ']'; }
  std::string finish();

 private:
  void separate();
  void begin(std::string_view name);
  void quote(std::string_view text);

  std::string text_ = "{";
};

}  // namespace langsbx
