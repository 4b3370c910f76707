// containerd: a table for the handler in config.toml (versions 2 and 3), between two comments.
#include <algorithm>

#include "cmd/langsbx/clients/client.h"
#include "cmd/langsbx/clients/toml_scan.h"

namespace langsbx::clients {
namespace {

constexpr const char* kFile = "/etc/containerd/config.toml";

Error refused(const std::string& problem) {
  return make_error(ErrorKind::kInvalidInput, std::string(kFile) + ": " + problem);
}

std::string begin_mark(const std::string& name) {
  return "# langsbx install: begin " + name + "\n";
}
std::string end_mark(const std::string& name) { return "# langsbx install: end " + name + "\n"; }

// What of the file is ours.
struct Block {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Document {
  std::string text;
  std::vector<TomlStatement> statements;  // views into text
  TomlPath runtimes;                      // the table of all handlers
};

Result<TomlPath> runtimes_path(std::span<const TomlStatement> statements) {
  const TomlStatement* const version = find_toml(statements, {"version"});
  const std::string_view value = version == nullptr ? "1" : version->value;
  if (value == "2")
    return TomlPath{"plugins", "io.containerd.grpc.v1.cri", "containerd", "runtimes"};
  if (value == "3")
    return TomlPath{"plugins", "io.containerd.cri.v1.runtime", "containerd", "runtimes"};
  return refused("version " + std::string(value) +
                 " is not understood, only 2 and 3 (`containerd config migrate` makes them)");
}

Result<void> read(Document& document) {
  document.statements = TRY_CONTEXT(scan_toml(document.text), kFile);
  document.runtimes = TRY(runtimes_path(document.statements));
  for (const TomlStatement& statement : document.statements) {
    const bool above = statement.path.size() <= document.runtimes.size() &&
                       begins_with(document.runtimes, statement.path);
    if (above && statement.kind != TomlStatement::Kind::kTable)
      return refused("\"" + statement.path.back() + "\" is written as a value, not as a table");
  }
  return {};
}

Result<std::optional<Block>> find_block(const Document& document, const std::string& name) {
  const auto begin = document.text.find(begin_mark(name));
  const auto end = document.text.find(end_mark(name));
  if (begin == std::string::npos && end == std::string::npos) return std::optional<Block>();
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    return refused("one of the two comments around \"" + name + "\" is gone");
  TomlPath path = document.runtimes;
  path.push_back(name);
  for (const TomlStatement& statement : document.statements) {
    if (statement.begin > begin && statement.begin < end && !begins_with(statement.path, path))
      return refused("between the comments around \"" + name + "\" stands something else");
  }
  return std::optional(Block{begin, end + end_mark(name).size()});
}

bool defined_outside(const Document& document, const std::string& name,
                     const std::optional<Block>& block) {
  TomlPath path = document.runtimes;
  path.push_back(name);
  return std::any_of(document.statements.begin(), document.statements.end(),
                     [&](const TomlStatement& statement) {
                       const bool inside =
                           block && statement.begin >= block->begin && statement.begin < block->end;
                       return !inside && begins_with(statement.path, path);
                     });
}

std::string value_of(const Document& document, const TomlPath& path) {
  TomlPath whole = document.runtimes;
  whole.insert(whole.end(), path.begin(), path.end());
  const TomlStatement* const found = find_toml(document.statements, whole);
  return found == nullptr ? "" : std::string(found->value);
}

std::string default_runtime(const Document& document) {
  TomlPath path(document.runtimes.begin(), document.runtimes.end() - 1);
  path.emplace_back("default_runtime_name");
  const TomlStatement* const found = find_toml(document.statements, path);
  const auto name = found == nullptr ? std::nullopt : toml_strings(found->value);
  return name && name->size() == 1 ? name->front() : "runc";
}

std::string table(const Document& document, const std::string& name) {
  return "[plugins.\"" + document.runtimes[1] + "\".containerd.runtimes." + name;
}

std::string handler_block(const Document& document, const Handler& handler,
                          const std::string& binary) {
  // The kubelet's cgroup driver is one for all handlers; one set here by hand stays.
  std::string driver = value_of(document, {handler.name, "options", "SystemdCgroup"});
  if (driver.empty())
    driver = value_of(document, {default_runtime(document), "options", "SystemdCgroup"});
  return begin_mark(handler.name) + table(document, handler.name) +
         "]\nruntime_type = \"io.containerd.runc.v2\"\n"
         "pod_annotations = [\"io.langsbx.*\"]\ncontainer_annotations = [\"io.langsbx.*\"]\n" +
         table(document, handler.name) + ".options]\nBinaryName = " + toml_quoted(binary) + "\n" +
         (driver.empty() ? "" : "SystemdCgroup = " + driver + "\n") + end_mark(handler.name);
}

// containerd 1.x forgets its built-in runc as soon as the file names any handler.
std::string runc_block(const Document& document) {
  return begin_mark("runc") + table(document, "runc") +
         "]\nruntime_type = \"io.containerd.runc.v2\"\n" + end_mark("runc");
}

bool any_handler(const Document& document, std::string_view but) {
  return std::any_of(document.statements.begin(), document.statements.end(),
                     [&](const TomlStatement& statement) {
                       return begins_with(statement.path, document.runtimes) &&
                              statement.path.size() > document.runtimes.size() &&
                              statement.path[document.runtimes.size()] != but;
                     });
}

void add_warnings(const Document& document, Plan& plan) {
  const TomlStatement* const disabled = find_toml(document.statements, {"disabled_plugins"});
  if (disabled != nullptr && disabled->value.find("cri") != std::string_view::npos)
    plan.notes.emplace_back(
        "disabled_plugins names the CRI plugin: Kubernetes can't use this containerd");
}

Result<void> cut(Document& document, const Block& block) {
  std::size_t begin = block.begin;
  // The empty line that was put before it.
  if (begin >= 2 && document.text[begin - 1] == '\n' && document.text[begin - 2] == '\n') --begin;
  document.text.erase(begin, block.end - begin);
  return read(document);
}

Result<void> append(Document& document, const std::string& block) {
  if (!document.text.empty() && document.text.back() != '\n') document.text += '\n';
  document.text += "\n" + block;
  return read(document);
}

Result<Plan> install(const Host& host, const Handler& handler) {
  Document document{TRY(host.read(kFile)).value_or("version = 2\n"), {}, {}};
  const std::string before = document.text;
  if (TRY_CONTEXT(scan_toml(before), kFile).empty())
    return refused("is empty: write `version = 2` there (3 from containerd 2 on), or remove it");
  TRY(read(document));
  Plan plan;
  const std::string binary = add_launcher(kContainerd, handler, plan);
  const auto block = TRY(find_block(document, handler.name));
  if (defined_outside(document, handler.name, block))
    return refused("the handler \"" + handler.name +
                   "\" is already there; choose another --name, or remove it by hand");
  const std::string wanted = handler_block(document, handler, binary);
  const bool same = block && before.compare(block->begin, block->end - block->begin, wanted) == 0;
  if (!same) {
    if (block) TRY(cut(document, *block));
    if (!any_handler(document, "") && default_runtime(document) == "runc")
      TRY(append(document, runc_block(document)));
    TRY(append(document, wanted));
  }
  plan.changes.push_back({kFile, document.text});
  plan.notes.push_back("a RuntimeClass with the handler \"" + handler.name +
                       "\" selects it; langsbx install --for kubernetes prints one");
  add_warnings(document, plan);
  return plan;
}

Result<Plan> uninstall(const Host& host, const Handler& handler) {
  Plan plan;
  TRY(remove_launcher(kContainerd, host, handler, plan));
  auto text = TRY(host.read(kFile));
  if (!text) return plan;
  Document document{std::move(*text), {}, {}};
  TRY(read(document));
  const auto block = TRY(find_block(document, handler.name));
  if (!block) {
    if (defined_outside(document, handler.name, block))
      return refused("the handler \"" + handler.name + "\" was not written by langsbx install");
    return plan;
  }
  if (default_runtime(document) == handler.name)
    return refused("\"" + handler.name + "\" is its default_runtime_name: change that first");
  TRY(cut(document, *block));
  const auto runc = TRY(find_block(document, "runc"));
  if (runc && !any_handler(document, "runc")) TRY(cut(document, *runc));
  plan.changes.push_back({kFile, document.text});
  return plan;
}

}  // namespace

extern const Client kContainerd{.name = "containerd",
                                .restart = "systemctl restart containerd",
                                .install = install,
                                .uninstall = uninstall};

}  // namespace langsbx::clients
