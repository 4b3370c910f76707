// Landlock in two layers: planned in the parent as plain values, applied in init with few calls.
//
//   layer "container"  broad: what rootfs and mounts of config.json make readable, writable and
//                      executable; nothing outside the container's root
//   layer "program"    tight: the guard profile, annotations, process.landlock or a landlockconfig
//                      document
// A plan is a value with a JSON form: `exec` re-applies the one that `create` recorded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oci/spec.h"
#include "runtime/base/json_writer.h"
#include "runtime/base/result.h"
#include "runtime/confine/landlock_mode.h"
#include "runtime/confine/landlock_rights.h"

namespace langsbx::confine {

// One allowed hierarchy. `path` is inside the container's root.
struct LandlockPathGrant {
  std::string path;
  std::uint64_t access = 0;
  bool must_exist = false;  // false: a missing path grants nothing, which is stricter
  // Of one layer made from two by the text of their paths: what `path` has to lie beneath once
  // links are resolved, too, the shortest first. A link of the image must not make it wider.
  std::vector<std::string> beneath = {};
  // A place that config.json names for the program itself: a link on the way is followed, and what
  // holds folders of programs is not granted, whatever it is called (see LandlockLayer).
  bool own = false;
  bool operator==(const LandlockPathGrant&) const = default;
};

struct LandlockPortGrant {
  std::uint16_t port = 0;
  std::uint64_t access = 0;
  bool operator==(const LandlockPortGrant&) const = default;
};

struct LandlockLayer {
  std::string name;
  std::string origin;  // "mounts and rootfs", "guard profile python", "process.landlock"
  std::uint64_t handled_fs = 0;
  std::uint64_t handled_net = 0;
  std::uint64_t scoped = 0;
  // What a standard descriptor that init was given may be reopened for (/dev/stdout), beyond its
  // mode: a file of the host is beneath no path of the container.
  std::uint64_t stdio = fs::kReadFile | fs::kWriteFile | fs::kTruncate;
  // Executes also what the program that is started is made of, which is known in the container
  // only: see apply_landlock. In such a layer a link of the image widens nothing: where a path is
  // one, it counts only where it leads to a file that is executed, or is the program's own.
  bool starts_program = false;
  std::vector<LandlockPathGrant> paths;
  std::vector<LandlockPortGrant> ports;
  bool operator==(const LandlockLayer&) const = default;
};

struct LandlockPlan {
  int abi = 0;  // the kernel's, to which everything here is masked
  std::vector<LandlockLayer> layers;
  bool log_denials = false;  // audit records for the program too (ABI 7), asked for by --explain
  // "program: ioctl_dev needs Landlock ABI 5, the kernel has 2", for reports.
  std::vector<std::string> unenforced;
  std::vector<std::string> notes;     // "the container's layer is off: io.langsbx.landlock=off"
  std::optional<LandlockMode> mode;   // that it was planned with; not recorded
  std::vector<std::string> warnings;  // for whoever starts the container; not recorded
  [[nodiscard]] bool empty() const { return layers.empty(); }
};

// The tight layer's input, filled from a guard profile or from annotations.
struct LandlockProgram {
  std::string origin;
  bool restrict_paths = true;        // false: only what follows the path lists is restricted
  std::vector<std::string> read;     // files and hierarchies: read, list
  std::vector<std::string> write;    // read, list, write, make, remove, rename, truncate
  std::vector<std::string> execute;  // these binaries only: execute and read
  // As read and write: the working directory and the source's place, which config.json names.
  std::vector<std::string> own_read;
  std::vector<std::string> own_write;
  bool starts_program = false;  // and what is told to apply_landlock
  // Absent: not restricted. Empty: everything refused.
  std::optional<std::vector<std::uint16_t>> bind_tcp;
  std::optional<std::vector<std::uint16_t>> connect_tcp;
  std::optional<std::vector<std::uint16_t>> bind_udp;
  std::optional<std::vector<std::uint16_t>> connect_udp;
  bool scope_signals = true;
  bool scope_abstract_sockets = true;
  bool deny_device_ioctl = true;
  std::vector<std::string> devices;  // nodes that may be read and written: /dev/null, ...
  // True: what was asked for and is not in this kernel is listed, not refused. Absent: the mode of
  // the container says (by itself: refused).
  std::optional<bool> best_effort;
};

// Annotations (all values are text):
//   io.langsbx.landlock              a LandlockMode; absent: auto
//   io.langsbx.landlock.read|.write|.execute|.devices   comma-separated absolute paths
//   io.langsbx.landlock.bind-tcp|.connect-tcp|.bind-udp|.connect-udp   ports, "none" for no port
//   io.langsbx.landlock.scope        "signal,abstract_unix_socket" or "none"
//   io.langsbx.landlock.device-ioctl "allow" or "deny"
//   io.langsbx.landlock.config       a landlockconfig document, or the absolute path of one that
//                                    everybody may read
// Lists add to the guard profile's; without one they make a program layer of their own.
// At most three of the kernel's 16 layers are used: everything tight is intersected into one, but
// for a guard profile's, whose programs are known later (starts_program).
struct LandlockInputs {
  const oci::Spec* spec = nullptr;
  std::optional<LandlockProgram> program;  // from the guard profile
  int abi = 0;                             // landlock_abi()
  bool log_denials = false;
  // Settled by who may say so; absent: the annotation's.
  std::optional<LandlockMode> mode = {};
  bool guarded = false;         // by an enforced profile: the container's layer never steps aside
  bool devices_judged = false;  // a device cgroup judges each opening of a device node
};
Result<LandlockPlan> plan_landlock(const LandlockInputs& inputs);

// The pieces of plan_landlock: each gives one layer, and lists in `unenforced` what this ABI lacks.
// Errors carry the field or the JSON path.
enum class DeviceNodes : bool { kNone, kMade };  // whether its processes may make them
LandlockLayer landlock_container_layer(const oci::Spec& spec, int abi,
                                       DeviceNodes nodes = DeviceNodes::kNone);
Result<LandlockLayer> landlock_program_layer(const LandlockProgram& program, int abi,
                                             std::vector<std::string>& unenforced);
// process.landlock or a landlockconfig document (oci::read_landlock); names, numbers and the groups
// abi.all, abi.read_execute and abi.read_write. A kind of right that has rules and names nothing
// handled handles everything of its kind. What a rule allows must be handled; a document handles it
// by that (landlockconfig).
enum class LandlockForm : std::uint8_t { kProposal, kDocument };
Result<LandlockLayer> landlock_layer_from(const oci::Landlock& landlock, LandlockForm form,
                                          std::string_view origin, int abi,
                                          std::vector<std::string>& unenforced);
// In a landlockconfig document: variables are replaced, and paths that are not absolute start at
// the program's working directory.
Result<void> resolve_document_paths(oci::Landlock& document, std::string_view cwd,
                                    std::string_view origin);
// Adds what the annotations say; true when they say anything about the program.
Result<bool> read_landlock_annotations(const std::map<std::string, std::string>& annotations,
                                       LandlockProgram& program);
// Whether `path` is `parent` or below it, as text.
bool is_path_below(std::string_view path, std::string_view parent);
// Allows what both allow. Paths are compared as text.
LandlockLayer intersect_layers(const LandlockLayer& left, const LandlockLayer& right);

// The plan without the program's layer.
LandlockPlan container_layer_of(const LandlockPlan& plan);

std::string to_json(const LandlockPlan& plan);
Result<LandlockPlan> landlock_plan_from_json(std::string_view json);
// The same of a part of a document.
enum class Names : bool { kNo, kYes };  // of rights, for people, beside their numbers
void write_members(const LandlockPlan& plan, Names names, JsonWriter& out);

// What is started, known only when it has been judged. A layer that `starts_program` lets these be
// executed and read. Links lead where they lead below the root.
struct LandlockPrograms {
  std::vector<std::string> executed;  // programs and their loaders
  std::vector<std::string> read;      // libraries, and where the loader looks them up
  bool alone = false;                 // true: the layer then executes nothing else
};

// What the process that is restricted has, beside its plan.
struct LandlockHeld {
  // Stay reopenable (/dev/stdout) as its standard descriptors do: in the mode in which they are
  // open, directories excepted.
  std::vector<int> descriptors;
  LandlockPrograms programs;
  bool no_new_privs = false;  // shall have it, and has it not yet: see sets_no_new_privs
};

// Whether restricting sets no_new_privs by the same call (ABI 11), if it is asked to.
bool sets_no_new_privs(const LandlockPlan& plan);
// The flags of landlock_restrict_self that the plan's kernel has a use for.
std::uint32_t restrict_flags(const LandlockPlan& plan, bool no_new_privs);

// In the child, after the root is final: opens every path below `root` (a directory descriptor),
// adds the rules and restricts the process, one layer after the other. Needs no_new_privs
// or CAP_SYS_ADMIN in the own user namespace; from here on mount(2) and pivot_root(2) fail.
Result<void> apply_landlock(const LandlockPlan& plan, int root, const LandlockHeld& held = {});

}  // namespace langsbx::confine
