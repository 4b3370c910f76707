// config.json and its parts: which table reads which document.
#include "oci/reader.h"

#include "oci/tables.h"

namespace langsbx::oci {
namespace {

template <typename T>
Result<T> read(std::string_view json, std::string_view file, const decode::Type& table) {
  T value;
  TRY(decode::decode(json, table, &value, file));
  return value;
}

}  // namespace

Result<Spec> read_spec(std::string_view json, std::string_view file) {
  return read<Spec>(json, file, decode::kSpecTable);
}
Result<Process> read_process(std::string_view json, std::string_view file) {
  return read<Process>(json, file, decode::kProcessTable);
}
Result<Resources> read_resources(std::string_view json, std::string_view file) {
  return read<Resources>(json, file, decode::kResourcesTable);
}
Result<Seccomp> read_seccomp(std::string_view json, std::string_view file) {
  return read<Seccomp>(json, file, decode::kSeccompProfileTable);
}
Result<Landlock> read_landlock(std::string_view json, std::string_view file) {
  return read<Landlock>(json, file, decode::kLandlockTable);
}

}  // namespace langsbx::oci
