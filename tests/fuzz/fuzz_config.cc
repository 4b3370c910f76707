// Any bytes as config.json or one of its parts: read or refused with the file's name, and what
// was read can be validated.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "oci/reader.h"
#include "oci/validate.h"

namespace {

constexpr std::string_view kFile = "f";

template <typename T>
void expect_named(langsbx::Result<T>& result) {
  if (!result.ok() && !result.error().message.starts_with("f: ")) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto spec = langsbx::oci::read_spec(text, kFile);
  expect_named(spec);
  if (spec.ok()) static_cast<void>(langsbx::oci::validate(spec.value()));
  auto process = langsbx::oci::read_process(text, kFile);
  expect_named(process);
  if (process.ok()) static_cast<void>(langsbx::oci::validate(process.value(), ""));
  auto resources = langsbx::oci::read_resources(text, kFile);
  expect_named(resources);
  if (resources.ok()) static_cast<void>(langsbx::oci::validate(resources.value(), ""));
  auto seccomp = langsbx::oci::read_seccomp(text, kFile);
  expect_named(seccomp);
  auto landlock = langsbx::oci::read_landlock(text, kFile);
  expect_named(landlock);
  return 0;
}
