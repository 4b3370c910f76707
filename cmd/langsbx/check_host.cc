// check-host: what this kernel can enforce, and why not.
#include <nlohmann/json.hpp>

#include "cmd/langsbx/command.h"
#include "runtime/confine/host.h"
#include "runtime/execute/tiers.h"

namespace langsbx::cmd {
namespace {

std::string as_json(const confine::HostReport& report) {
  nlohmann::ordered_json facts = nlohmann::ordered_json::array();
  for (const confine::HostFact& fact : report.facts) {
    facts.push_back(
        {{"name", fact.name}, {"enforceable", fact.enforceable}, {"detail", fact.detail}});
  }
  const nlohmann::ordered_json document = {
      {"kernel", report.kernel},
      {"landlock", {{"abi", report.landlock_abi}, {"errata", report.landlock_errata}}},
      {"seccomp", {{"api", report.seccomp_api}, {"libseccomp", report.libseccomp_version}}},
      {"facts", std::move(facts)}};
  return document.dump(2) + "\n";
}

std::string as_text(const confine::HostReport& report) {
  constexpr std::size_t kNameWidth = 40;
  std::string text = "kernel " + report.kernel + "\n";
  for (const confine::HostFact& fact : report.facts) {
    std::string name = fact.name;
    name.resize(std::max(name.size(), kNameWidth), ' ');
    text += (fact.enforceable ? "yes  " : "no   ") + name + " " + fact.detail;
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

Result<int> run(const Invocation& invocation) {
  std::string format = "text";
  OptionTable table;
  table.text("format,f", &format, "FORMAT", "text (default) or json");
  if (!TRY(parse(invocation, table))) return 0;
  if (format != "text" && format != "json") {
    return make_error(ErrorKind::kInvalidInput, "invalid format option: " + format);
  }
  confine::HostReport report = confine::read_host_report();
  for (auto& tier : execute::probe_tiers(invocation.global.root)) {
    report.facts.push_back({"execute.isolation." + std::string(execute::to_string(tier.tier)),
                            tier.available, std::move(tier.detail)});
  }
  TRY(print(format == "json" ? as_json(report) : as_text(report)));
  return 0;
}

}  // namespace

extern const Command kCheckHost{.name = "check-host",
                                .arguments = "",
                                .summary = "show what this kernel can enforce, and why not",
                                .run = run};

}  // namespace langsbx::cmd
