// Walks a JSON schema and gives every property it names, with the place of each in a document.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace langsbx::oci {

// One step into a document: a property, the first element of an array, or some key of a map.
struct Step {
  enum class Kind { kProperty, kElement, kKey } kind = Kind::kProperty;
  std::string name;  // of a property
};
using Path = std::vector<Step>;

std::string to_string(const Path& path);  // `mounts[0].options[0]`, `annotations["key"]`
// The document in which `value` stands at the path, and nothing else.
nlohmann::ordered_json document_with(const Path& path, nlohmann::ordered_json value);

struct Place {
  Path path;
  nlohmann::json schema;  // of the value there
};

// Finds a schema file by its name; files are asked for once.
using Load = std::function<nlohmann::json(const std::string& file)>;
// Every property, element and map value that the schema in `file` describes, parents first.
std::vector<Place> walk_schema(const std::string& file, const Load& load);

}  // namespace langsbx::oci
