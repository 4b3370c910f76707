// Walks a JSON schema: $ref within and between files, allOf, anyOf, oneOf.
#include "tests/oci/schema_walk.h"

#include <map>

namespace langsbx::oci {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

class Walker {
 public:
  explicit Walker(const Load& load) : load_(load) {}

  void walk(const json& schema, const std::string& file, const Path& path) {
    if (path.size() > 20) return;
    if (schema.contains("$ref")) follow(schema["$ref"].get<std::string>(), file, path);
    for (const char* list : {"allOf", "anyOf", "oneOf"}) {
      if (!schema.contains(list)) continue;
      for (const json& one : schema[list]) walk(one, file, path);
    }
    if (schema.contains("properties")) {
      for (const auto& [name, property] : schema["properties"].items())
        visit(property, file, extended(path, {Step::Kind::kProperty, name}));
    }
    if (schema.contains("items"))
      visit(schema["items"], file, extended(path, {Step::Kind::kElement, ""}));
    for (const char* keyed : {"patternProperties", "additionalProperties"}) {
      if (!schema.contains(keyed) || !schema[keyed].is_object()) continue;
      const json& value = keyed[0] == 'p' ? schema[keyed].begin().value() : json(schema[keyed]);
      visit(value, file, extended(path, {Step::Kind::kKey, ""}));
    }
  }

  std::vector<Place> places;

 private:
  static Path extended(Path path, Step step) {
    path.push_back(std::move(step));
    return path;
  }
  void visit(const json& schema, const std::string& file, const Path& path) {
    places.push_back({path, resolved(schema, file)});
    walk(schema, file, path);
  }
  void follow(const std::string& reference, const std::string& file, const Path& path) {
    const auto [target_file, target] = find(reference, file);
    if (target != nullptr) walk(*target, target_file, path);
  }
  // What the schema says about the type itself, references followed.
  json resolved(const json& schema, const std::string& file) {
    json merged = schema;
    if (schema.contains("$ref")) {
      const auto [target_file, target] = find(schema["$ref"].get<std::string>(), file);
      if (target != nullptr) {
        const json inner = resolved(*target, target_file);
        for (const auto& [key, value] : inner.items())
          if (!merged.contains(key)) merged[key] = value;
      }
    }
    return merged;
  }
  std::pair<std::string, const json*> find(const std::string& reference, const std::string& file) {
    const std::size_t hash = reference.find('#');
    const std::string target_file = hash == 0 ? file : reference.substr(0, hash);
    auto& document = documents_[target_file];
    if (document.is_null()) document = load_(target_file);
    if (hash == std::string::npos) return {target_file, &document};
    const json::json_pointer pointer(reference.substr(hash + 1));
    return {target_file, document.contains(pointer) ? &document[pointer] : nullptr};
  }

  const Load& load_;
  std::map<std::string, json> documents_;
};

}  // namespace

std::string to_string(const Path& path) {
  std::string text;
  for (const Step& step : path) {
    if (step.kind == Step::Kind::kElement) {
      text += "[0]";
    } else if (step.kind == Step::Kind::kKey) {
      text += "[\"key\"]";
    } else {
      text += (text.empty() ? "" : ".") + step.name;
    }
  }
  return text;
}

ordered_json document_with(const Path& path, ordered_json value) {
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    ordered_json outer;
    if (step->kind == Step::Kind::kElement)
      outer = ordered_json::array({std::move(value)});
    else
      outer[step->kind == Step::Kind::kKey ? "key" : step->name] = std::move(value);
    value = std::move(outer);
  }
  return value;
}

std::vector<Place> walk_schema(const std::string& file, const Load& load) {
  Walker walker(load);
  walker.walk(load(file), file, {});
  return walker.places;
}

}  // namespace langsbx::oci
