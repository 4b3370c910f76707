// spec: writes an example config.json.
#include <fcntl.h>
#include <unistd.h>

#include "cmd/langsbx/command.h"
#include "cmd/langsbx/spec_template.h"
#include "runtime/cgroup/host.h"
#include "runtime/kernel/file.h"

namespace langsbx::cmd {
namespace {

bool has_cgroup2() {
  auto host = cgroup::detect();
  return host.ok() && host->mode == cgroup::Mode::kV2;
}

Result<int> run(const Invocation& invocation) {
  std::string bundle = ".";
  std::string name = "config.json";
  SpecTemplate what;
  OptionTable table;
  table.text("bundle,b", &bundle, "DIR", "where to write config.json; default: here");
  table.text("file,f", &name, "PATH", "the file to write, below the bundle; default: config.json");
  table.flag("rootless", &what.rootless, "for a container without root's privileges");
  if (!TRY(parse(invocation, table))) return 0;
  what.uid = ::geteuid();
  what.gid = ::getegid();
  what.cgroup_namespace = has_cgroup2();
  const auto directory = TRY_CONTEXT(open_file(bundle, O_RDONLY | O_DIRECTORY), "spec: --bundle");
  auto file = open_at(directory.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (!file.ok()) {
    if (file.error().errno_value == EEXIST)
      return make_error(ErrorKind::kAlreadyExists, "File " + name + " exists. Remove it first");
    return file.release_error();
  }
  TRY(write_fd(file->get(), spec_template_json(what), name));
  return 0;
}

}  // namespace

extern const Command kSpec{
    .name = "spec", .arguments = "", .summary = "create a new specification file", .run = run};

}  // namespace langsbx::cmd
