// The tables behind reader.h, one for each object of config.json; inside oci/ only.
#pragma once

#include "oci/decode.h"
#include "oci/spec.h"

namespace langsbx::oci::decode {

// User and group ids: -1 (4294967295) means "none" to the kernel and is never a valid id.
inline constexpr std::uint32_t kHighestId = std::numeric_limits<std::uint32_t>::max() - 1;
inline constexpr Type kId = kInteger<std::uint32_t, 0, kHighestId>;

extern const Type kSpecTable;
extern const Type kProcessTable;
extern const Type kLinuxTable;
extern const Type kResourcesTable;
extern const Type kCapabilitiesTable;
extern const Type kSeccompTable;
extern const Type kSeccompProfileTable;  // a file of its own: Docker's templates are refused
extern const Type kLandlockTable;
extern const Type kIdMappingTable;

constexpr const Type* type_of(Tag<Process>) { return &kProcessTable; }
constexpr const Type* type_of(Tag<Linux>) { return &kLinuxTable; }
constexpr const Type* type_of(Tag<Resources>) { return &kResourcesTable; }
constexpr const Type* type_of(Tag<Capabilities>) { return &kCapabilitiesTable; }
constexpr const Type* type_of(Tag<Seccomp>) { return &kSeccompTable; }
constexpr const Type* type_of(Tag<Landlock>) { return &kLandlockTable; }
constexpr const Type* type_of(Tag<IdMapping>) { return &kIdMappingTable; }

}  // namespace langsbx::oci::decode
