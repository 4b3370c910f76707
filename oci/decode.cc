// Streams a JSON document (yajl) through the tables into values; knows where it is for errors.
#include "oci/decode.h"

#include <yajl/yajl_parse.h>

#include <algorithm>
#include <memory>

#include "oci/repair.h"

namespace langsbx::oci::decode {
namespace {

std::string name_of(ScalarKind kind) {
  static constexpr std::string_view kNames[] = {"null", "a boolean", "a number", "a string"};
  return std::string(kNames[static_cast<std::size_t>(kind)]);
}

std::string name_of(Expected expected) {
  static constexpr std::string_view kNames[] = {
      "an integer",
      "a string",
      "true or false",
      "an array",
      "an object",
      "an object or an array of one",
      "a right's name or number",
      "nothing (a condition of Docker's profile templates)"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Expected::kNothing) + 1);
  return std::string(kNames[static_cast<std::size_t>(expected)]);
}

// Where we are in one object or array.
struct Frame {
  const Type* type = nullptr;
  void* target = nullptr;
  const Field* field = nullptr;  // object: the one that comes next
  std::string key;               // map: the name that comes next
  std::size_t count = 0;         // array: elements so far
  std::uint32_t seen = 0;        // object: bit i for fields[i]

  [[nodiscard]] std::size_t row() const {
    return static_cast<std::size_t>(field - type->fields.data());
  }
};

class Decoder {
 public:
  Decoder(std::string_view json, const Type& root, void* target, const Limits& limits)
      : json_(json), root_(root), target_(target), limits_(limits) {
    frames_.reserve(16);
  }
  // What calls it.
  void set_handle(yajl_handle handle) { handle_ = handle; }

  bool scalar(const Scalar& value);
  bool start(bool is_object);
  bool key(std::string_view name);
  bool end();

  [[nodiscard, gnu::cold]] std::string located_problem() const;

 private:
  [[gnu::cold]] bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  bool open_next(Slot& slot);
  [[nodiscard]] bool raw_comes() const {
    return skip_depth_ == 0 && !skip_next_ && !frames_.empty() && frames_.back().field != nullptr &&
           frames_.back().field->type->shape == Shape::kRaw;
  }
  void keep_raw();
  bool push(const Type* type, void* target) {
    frames_.push_back(Frame{type, target, nullptr, {}, 0, 0});
    return true;
  }

  std::string_view json_;
  yajl_handle handle_ = nullptr;
  const Type& root_;
  void* target_;
  const Limits& limits_;
  std::vector<Frame> frames_;
  int skip_depth_ = 0;      // open objects and arrays of a property nobody knows
  bool skip_next_ = false;  // the value of the last key is skipped
  bool keeps_raw_ = false;  // what is skipped is the value of a raw field
  std::size_t key_end_ = 0;
  std::size_t elements_ = 0;
  std::string problem_;
};

// A single object where an array is also allowed makes two frames but no array in the text; the
// array's frame then has this count.
constexpr std::size_t kSingle = std::numeric_limits<std::size_t>::max();

std::string Decoder::located_problem() const {
  std::string path;
  for (const Frame& frame : frames_) {
    if (frame.type->shape == Shape::kObject) {
      if (frame.field == nullptr) break;
      if (!path.empty()) path += '.';
      path += frame.field->name;
    } else if (frame.type->shape == Shape::kMap) {
      if (frame.key.empty()) break;
      path += "[\"" + frame.key + "\"]";
    } else if (frame.count != 0 && frame.count != kSingle) {
      path += '[' + std::to_string(frame.count - 1) + ']';
    }
  }
  return path.empty() ? problem_ : path + ": " + problem_;
}

// The place for the value that comes now, made present. Not called for skipped values.
bool Decoder::open_next(Slot& slot) {
  if (frames_.empty()) {
    slot = {&root_, target_};
    return true;
  }
  Frame& frame = frames_.back();
  if (frame.type->shape == Shape::kObject) {
    frame.seen |= 1U << frame.row();
    slot = {frame.field->type, frame.field->open(frame.target)};
    return true;
  }
  if (++elements_ > limits_.elements) return fail("too many elements");
  ++frame.count;
  slot = frame.type->add(frame.target, frame.key);
  return true;
}

// The value of the field has just ended: it is what stands between its name and here.
void Decoder::keep_raw() {
  Frame& frame = frames_.back();
  frame.seen |= 1U << frame.row();
  auto text = json_.substr(key_end_, yajl_get_bytes_consumed(handle_) - key_end_);
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(": \t\r\n")));
  auto& kept = *static_cast<std::string*>(frame.field->open(frame.target));
  kept = text == "null" ? std::string_view() : text;
}

bool Decoder::scalar(const Scalar& value) {
  if (skip_depth_ > 0) return true;
  if (raw_comes()) {
    keep_raw();
    return true;
  }
  if (skip_next_) {
    skip_next_ = false;
    return true;
  }
  if (value.kind == ScalarKind::kNull && !frames_.empty() &&
      frames_.back().type->shape == Shape::kObject) {
    const Frame& frame = frames_.back();
    if (frame.field->reset != nullptr) frame.field->reset(frame.target);
    return true;
  }
  Slot slot;
  if (!open_next(slot)) return false;
  if ((slot.type->accepts & accepts(value.kind)) == 0)
    return fail("expected " + name_of(slot.type->expected) + ", found " + name_of(value.kind));
  std::string problem = slot.type->store(slot.target, value);
  return problem.empty() || fail(std::move(problem));
}

bool Decoder::start(bool is_object) {
  if (static_cast<int>(frames_.size()) + skip_depth_ >= limits_.depth)
    return fail("nested deeper than " + std::to_string(limits_.depth) + " levels");
  keeps_raw_ = keeps_raw_ || raw_comes();
  if (skip_next_ || skip_depth_ > 0 || keeps_raw_) {
    skip_next_ = false;
    ++skip_depth_;
    return true;
  }
  Slot slot;
  if (!open_next(slot)) return false;
  const Type* type = slot.type;
  const bool fits = is_object ? type->shape == Shape::kObject || type->shape == Shape::kMap
                              : type->shape == Shape::kArray;
  const bool single = is_object && type->single_allowed;
  // As in Go, an array that comes again replaces the first, an object adds to it.
  if ((fits || single) && type->shape == Shape::kArray) {
    if (type->clear != nullptr) type->clear(slot.target);
  }
  if (fits) return push(type, slot.target);
  if (single) {
    push(type, slot.target);
    frames_.back().count = kSingle;
    const Slot element = type->add(slot.target, {});
    return push(element.type, element.target);
  }
  return fail("expected " + name_of(type->expected) + ", found " +
              (is_object ? "an object" : "an array"));
}

// As Go compares names: exactly, else whatever the case of the letters.
bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
  };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [&](char x, char y) { return lower(x) == lower(y); });
}

const Field* find_field(std::span<const Field> fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& one) { return one.name == name; });
  if (found != fields.end()) return &*found;
  const auto alike = std::find_if(fields.begin(), fields.end(), [&](const Field& one) {
    return same_but_for_case(one.name, name);
  });
  return alike == fields.end() ? nullptr : &*alike;
}

bool Decoder::key(std::string_view name) {
  if (skip_depth_ > 0) return true;
  Frame& frame = frames_.back();
  if (frame.type->shape == Shape::kMap) {
    frame.key.assign(name);
    if (name.empty()) return fail("a name is empty");
    if (name.find('\0') != std::string_view::npos) return fail("contains a NUL byte");
    return true;
  }
  key_end_ = yajl_get_bytes_consumed(handle_);
  frame.field = find_field(frame.type->fields, name);
  skip_next_ = frame.field == nullptr;
  if (skip_next_ && frame.type->refuse_unknown)
    return fail("unknown property \"" + std::string(name) + "\"");
  return true;
}

bool Decoder::end() {
  if (skip_depth_ > 0) {
    if (--skip_depth_ == 0 && keeps_raw_) {
      keeps_raw_ = false;
      keep_raw();
    }
    return true;
  }
  Frame& frame = frames_.back();
  for (std::size_t i = 0; i < frame.type->fields.size(); ++i) {
    if (!frame.type->fields[i].required || (frame.seen & (1U << i)) != 0) continue;
    frame.field = &frame.type->fields[i];
    return fail("is required");
  }
  frames_.pop_back();
  if (!frames_.empty() && frames_.back().count == kSingle) frames_.pop_back();
  return true;
}

std::string_view view(const unsigned char* text, std::size_t length) {
  return {reinterpret_cast<const char*>(text), length};
}
Decoder& decoder(void* context) { return *static_cast<Decoder*>(context); }

constexpr yajl_callbacks kCallbacks{
    .yajl_null = [](void* context) -> int { return decoder(context).scalar({}); },
    .yajl_boolean = [](void* context, int value) -> int {
      return decoder(context).scalar({ScalarKind::kBool, value != 0, {}});
    },
    .yajl_integer = nullptr,
    .yajl_double = nullptr,
    .yajl_number = [](void* context, const char* text, std::size_t length) -> int {
      return decoder(context).scalar({ScalarKind::kNumber, false, {text, length}});
    },
    .yajl_string = [](void* context, const unsigned char* text, std::size_t length) -> int {
      return decoder(context).scalar({ScalarKind::kString, false, view(text, length)});
    },
    .yajl_start_map = [](void* context) -> int { return decoder(context).start(true); },
    .yajl_map_key = [](void* context, const unsigned char* text, std::size_t length) -> int {
      return decoder(context).key(view(text, length));
    },
    .yajl_end_map = [](void* context) -> int { return decoder(context).end(); },
    .yajl_start_array = [](void* context) -> int { return decoder(context).start(false); },
    .yajl_end_array = [](void* context) -> int { return decoder(context).end(); },
};

struct FreeHandle {
  void operator()(yajl_handle_t* handle) const { yajl_free(handle); }
};
using Handle = std::unique_ptr<yajl_handle_t, FreeHandle>;

[[gnu::cold]] Error invalid(std::string_view file, const std::string& text) {
  return make_error(ErrorKind::kInvalidInput, std::string(file) + ": " + text);
}

[[gnu::cold]] std::string syntax_problem(yajl_handle handle, std::string_view json) {
  const std::size_t offset = std::min(yajl_get_bytes_consumed(handle), json.size());
  const std::string_view before = json.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n');
  const std::size_t column =
      line_start == std::string_view::npos ? offset + 1 : offset - line_start;
  unsigned char* const raw = yajl_get_error(handle, 0, nullptr, 0);
  std::string text(reinterpret_cast<const char*>(raw));
  yajl_free_error(handle, raw);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + text;
}

}  // namespace

std::string out_of_range(std::string_view text, std::int64_t low, std::uint64_t high) {
  return std::string(text) + " is out of range (" + std::to_string(low) + " to " +
         std::to_string(high) + ")";
}

std::string store_string(void* target, const Scalar& scalar) {
  // The kernel would see only what stands before it.
  if (scalar.text.find('\0') != std::string_view::npos) return "contains a NUL byte";
  static_cast<std::string*>(target)->assign(scalar.text);
  return {};
}

std::string store_bool(void* target, const Scalar& scalar) {
  *static_cast<bool*>(target) = scalar.boolean;
  return {};
}

Result<void> decode(std::string_view json, const Type& root, void* target, std::string_view file,
                    const Limits& limits) {
  if (json.size() > limits.bytes)
    return invalid(file, "larger than " + std::to_string(limits.bytes) + " bytes");
  const std::optional<std::string> copy = repaired(json);
  if (copy) json = *copy;
  Decoder state(json, root, target, limits);
  const Handle handle(yajl_alloc(&kCallbacks, nullptr, &state));
  if (!handle) return make_error(ErrorKind::kInternal, "yajl_alloc");
  state.set_handle(handle.get());
  yajl_status status =
      yajl_parse(handle.get(), reinterpret_cast<const unsigned char*>(json.data()), json.size());
  if (status == yajl_status_ok) status = yajl_complete_parse(handle.get());
  if (status == yajl_status_ok) return {};
  if (status == yajl_status_error) return invalid(file, syntax_problem(handle.get(), json));
  return invalid(file, state.located_problem());
}

}  // namespace langsbx::oci::decode
