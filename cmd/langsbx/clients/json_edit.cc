// Finds members of JSON objects in the text and inserts, replaces or cuts them out there.
#include "cmd/langsbx/clients/json_edit.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

namespace langsbx::clients {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 64;

struct Member {
  std::string key;
  std::size_t begin = 0;  // of the key's quote
  std::size_t value = 0;
  std::size_t end = 0;
};

struct Object {
  std::size_t open = 0;
  std::size_t close = 0;
  std::vector<Member> members;
};

Error refused(std::string problem) {
  return make_error(ErrorKind::kInvalidInput, std::move(problem));
}

// The text has been parsed before: the scanning below need not look for faults.
std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

std::size_t skip_value(std::string_view text, std::size_t at) {
  if (text[at] == '"') return skip_string(text, at);
  if (text[at] != '{' && text[at] != '[')
    return std::min(text.find_first_of(",]} \t\r\n", at), text.size());
  std::size_t depth = 0;
  do {
    if (text[at] == '"') {
      at = skip_string(text, at);
      continue;
    }
    if (text[at] == '{' || text[at] == '[') ++depth;
    if (text[at] == '}' || text[at] == ']') --depth;
    ++at;
  } while (depth > 0);
  return at;
}

Result<Object> object_at(std::string_view text, std::size_t at, std::string_view name) {
  if (text[at] != '{') return refused(std::string(name) + " is not an object");
  Object object;
  object.open = at;
  at = skip_space(text, at + 1);
  while (text[at] != '}') {
    Member member;
    member.begin = at;
    const std::size_t key_end = skip_string(text, at);
    member.key = Json::parse(text.substr(at, key_end - at)).get<std::string>();
    member.value = skip_space(text, skip_space(text, key_end) + 1);
    member.end = skip_value(text, member.value);
    at = skip_space(text, member.end);
    if (text[at] == ',') at = skip_space(text, at + 1);
    for (const Member& other : object.members) {
      if (other.key == member.key) return refused("\"" + member.key + "\" stands there twice");
    }
    object.members.push_back(std::move(member));
  }
  object.close = at;
  return object;
}

std::optional<std::size_t> find(const Object& object, const std::string& key) {
  for (std::size_t i = 0; i < object.members.size(); ++i) {
    if (object.members[i].key == key) return i;
  }
  return std::nullopt;
}

// What stands before the first thing of the line; nothing when the line begins with something else.
std::optional<std::string> indent_before(std::string_view text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at);
  if (line == std::string_view::npos) return std::nullopt;
  const std::string_view between = text.substr(line + 1, at - line - 1);
  if (between.find_first_not_of(" \t") != std::string_view::npos) return std::nullopt;
  return std::string(between);
}

// How the file indents: the first member of the outermost object shows it.
std::string indent_unit(std::string_view text, const Object& top) {
  const auto shown =
      top.members.empty() ? std::nullopt : indent_before(text, top.members.front().begin);
  return shown && !shown->empty() ? *shown : "    ";
}

std::string spread(const Json& value, const std::string& unit, const std::string& indent) {
  std::string lines = unit[0] == '\t' ? value.dump(static_cast<int>(unit.size()), '\t')
                                      : value.dump(static_cast<int>(unit.size()));
  for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos;)
    lines.insert(++at, indent);
  return lines;
}

struct Place {
  std::string_view text;
  std::string unit;
  std::size_t depth;  // of objects around the member
};

// A new member behind the others.
std::string insert(const Place& place, const Object& object, const std::string& key,
                   const Json& value) {
  const std::string_view text = place.text;
  const std::string quoted = Json(key).dump() + ": ";
  std::string outer;
  for (std::size_t i = 1; i < place.depth; ++i) outer += place.unit;
  std::string added;
  std::size_t from = object.open + 1;
  std::size_t to = object.close;
  if (object.members.empty()) {
    added = "\n" + outer + place.unit + quoted + spread(value, place.unit, outer + place.unit) +
            "\n" + outer;
  } else {
    from = to = object.members.back().end;
    const auto indent = indent_before(text, object.members.front().begin);
    added = indent ? ",\n" + *indent + quoted + spread(value, place.unit, *indent)
                   : ", " + quoted + value.dump();
  }
  return std::string(text.substr(0, from)) + added + std::string(text.substr(to));
}

std::string replace(const Place& place, const Member& member, const Json& value) {
  const auto indent = indent_before(place.text, member.begin);
  const std::string made = indent ? spread(value, place.unit, *indent) : value.dump();
  return std::string(place.text.substr(0, member.value)) + made +
         std::string(place.text.substr(member.end));
}

Json* descend(Json& document, const std::vector<std::string>& path, bool make) {
  Json* at = &document;
  for (const std::string& key : path) {
    if (!make && (!at->is_object() || !at->contains(key))) return nullptr;
    at = &(*at)[key];
  }
  return at;
}

// Whatever the scanning did: the result says the same as the document edited as a value.
Result<std::string> checked(std::string text, const Json& wanted) {
  const auto read = parse_object(text);
  if (!read.ok() || read.value() != wanted)
    return make_error(ErrorKind::kInternal, "the edited text does not say what it should");
  return text;
}

}  // namespace

Result<Json> parse_object(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return refused("is empty: write {} there, or remove it");
  if (text.starts_with("\xef\xbb\xbf"))
    return refused("begins with a byte order mark; save it without one");
  // The parser takes it for the text's end.
  if (text.find('\0') != std::string_view::npos) return refused("holds a NUL byte");
  const auto shallow = [](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
    if (depth > kDeepest) throw std::length_error("deeper than 64 objects and lists");
    return true;
  };
  try {
    Json document = Json::parse(text, shallow);
    if (!document.is_object()) return refused("the document is not an object");
    return document;
  } catch (const nlohmann::json::exception& error) {
    return refused(error.what());
  } catch (const std::length_error& error) {
    return refused(error.what());
  }
}

Result<std::string> set_member(std::string_view text, const std::vector<std::string>& path,
                               std::string_view value) {
  Json wanted = TRY(parse_object(text));
  Json made = TRY(parse_object(value));
  const Object top = TRY(object_at(text, skip_space(text, 0), "the document"));
  Object object = top;
  std::size_t level = 0;
  for (; level + 1 < path.size(); ++level) {
    const auto found = find(object, path[level]);
    if (!found) break;
    object = TRY(object_at(text, object.members[*found].value, path[level]));
  }
  *descend(wanted, path, true) = made;
  const Place place{text, indent_unit(text, top), level + 1};
  const auto found = find(object, path[level]);
  if (found) return checked(replace(place, object.members[*found], made), wanted);
  for (std::size_t i = path.size(); i > level + 1; --i) made = Json{{path[i - 1], made}};
  return checked(insert(place, object, path[level], made), wanted);
}

Result<std::string> remove_member(std::string_view text, const std::vector<std::string>& path) {
  Json wanted = TRY(parse_object(text));
  std::vector<std::string> where = path;
  if (descend(wanted, where, false) == nullptr) return std::string(text);
  // What it leaves empty goes with it.
  while (where.size() > 1) {
    const std::vector<std::string> above(where.begin(), where.end() - 1);
    if (descend(wanted, above, false)->size() > 1) break;
    where = above;
  }
  Object object = TRY(object_at(text, skip_space(text, 0), "the document"));
  for (std::size_t level = 0; level + 1 < where.size(); ++level)
    object = TRY(object_at(text, object.members[*find(object, where[level])].value, where[level]));
  const std::size_t index = *find(object, where.back());
  std::size_t from = object.members[index].begin;
  std::size_t to = object.members[index].end;
  if (object.members.size() == 1) {
    from = object.open + 1;
    to = object.close;
  } else if (index + 1 == object.members.size()) {
    from = object.members[index - 1].end;
  } else {
    to = object.members[index + 1].begin;
  }
  const std::vector<std::string> above(where.begin(), where.end() - 1);
  descend(wanted, above, false)->erase(where.back());
  return checked(std::string(text.substr(0, from)) + std::string(text.substr(to)), wanted);
}

}  // namespace langsbx::clients
