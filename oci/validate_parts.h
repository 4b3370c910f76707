// Pieces of validate.h that its two sources share; inside oci/ only.
#pragma once

#include <string>
#include <string_view>

#include "oci/spec.h"
#include "runtime/base/result.h"

namespace langsbx::oci {

inline Error invalid(std::string path, std::string_view problem) {
  path += ": ";
  path += problem;
  return make_error(ErrorKind::kInvalidInput, std::move(path));
}
inline std::string at(std::string_view path, std::size_t index) {
  return std::string(path) + '[' + std::to_string(index) + ']';
}
inline bool is_absolute(std::string_view path) { return path.starts_with('/'); }

Result<void> validate_linux(const Linux& linux_config);
Result<void> validate_mappings(const std::vector<IdMapping>& mappings, std::string_view path);
// The namespace of that type in the list, or nullptr.
const Namespace* find_namespace(const std::vector<Namespace>& namespaces, NamespaceType type);

}  // namespace langsbx::oci
