// Inheritance, and the step from a profile to the policy the judge asks.
#include "languages/profile.h"

#include <algorithm>

#include "languages/registry.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages {
namespace {

constexpr std::size_t kMaxParents = 16;

template <typename T>
void append(std::vector<T>& to, std::vector<T> from) {
  for (T& item : from) to.push_back(std::move(item));
}

template <typename T>
void replace(T& to, T from) {
  if (from) to = std::move(from);
}

void merge_names(NameLists& to, NameLists from) {
  // A child that names its own list starts anew; its parent's additions belonged to the old one.
  if (from.allowed) to.additional.clear();
  replace(to.allowed, std::move(from.allowed));
  append(to.additional, std::move(from.additional));
  append(to.blocked, std::move(from.blocked));
  replace(to.exclusive, from.exclusive);
}

void without(std::vector<std::string>& list, const std::vector<std::string>& gone) {
  std::erase_if(list, [&](const std::string& item) {
    return std::find(gone.begin(), gone.end(), item) != gone.end();
  });
}

void add_all(NameSet& set, const NameLists& lists) {
  if (lists.allowed) set.insert(lists.allowed->begin(), lists.allowed->end());
  set.insert(lists.additional.begin(), lists.additional.end());
}

Result<ProfileText> find_text(const Language& language, std::string_view name,
                              const ProfileFinder& finder, std::string_view asked_by) {
  if (finder) {
    std::optional<ProfileText> found = TRY(finder(language.name, name));
    if (found) return std::move(*found);
  }
  std::string known;
  for (const BuiltinProfile& builtin : language.builtin_profiles) {
    if (builtin.name == name) {
      return ProfileText{std::string(language.name) + "/" + std::string(name) + ".yaml",
                         std::string(builtin.yaml)};
    }
    known += (known.empty() ? "" : ", ") + std::string(builtin.name);
  }
  return make_error(ErrorKind::kNotFound,
                    std::string(asked_by) + "no profile '" + std::string(name) + "' for " +
                        std::string(language.name) + " (shipped: " + known + ")");
}

// A list that the language's judge never asks would do nothing.
Result<void> check_lists(const Profile& profile, const Language& language) {
  static constexpr auto kLists =
      text_list("commands", "modules", "imports", "functions", "attributes");
  for (const std::string_view group : kLists) {
    if ((group == "commands") == language.commands) continue;
    const auto place = profile.places.find(group);
    if (place == profile.places.end()) continue;
    return make_error(ErrorKind::kInvalidInput,
                      place->second + std::string(language.name) + " has no '" +
                          std::string(group) + "', expected " +
                          (language.commands ? "commands" : "modules, functions or attributes"));
  }
  return {};
}

}  // namespace

Profile merge(Profile parent, Profile child) {
  Profile out = std::move(parent);
  out.file = std::move(child.file);
  out.name = std::move(child.name);
  out.extends = std::move(child.extends);
  if (!child.language.empty()) out.language = std::move(child.language);
  if (!child.description.empty()) out.description = std::move(child.description);
  // The child has the last word on a capability; within one profile deny beats allow.
  without(out.allow, child.deny);
  without(out.deny, child.allow);
  append(out.allow, std::move(child.allow));
  append(out.deny, std::move(child.deny));
  merge_names(out.modules, std::move(child.modules));
  merge_names(out.commands, std::move(child.commands));
  merge_names(out.functions, std::move(child.functions));
  append(out.blocked_attributes, std::move(child.blocked_attributes));
  append(out.patterns, std::move(child.patterns));
  append(out.paths_read, std::move(child.paths_read));
  append(out.paths_write, std::move(child.paths_write));
  Limits& limits = out.limits;
  replace(limits.memory, child.limits.memory);
  replace(limits.cpu, child.limits.cpu);
  replace(limits.cpu_time, child.limits.cpu_time);
  replace(limits.wall_time, child.limits.wall_time);
  replace(limits.processes, child.limits.processes);
  replace(limits.files, child.limits.files);
  replace(limits.disk, child.limits.disk);
  replace(limits.output, child.limits.output);
  replace(limits.source_bytes, child.limits.source_bytes);
  replace(limits.source_nesting, child.limits.source_nesting);
  append(out.landlock.read, std::move(child.landlock.read));
  append(out.landlock.write, std::move(child.landlock.write));
  append(out.landlock.execute, std::move(child.landlock.execute));
  append(out.landlock.connect_tcp, std::move(child.landlock.connect_tcp));
  append(out.landlock.bind_tcp, std::move(child.landlock.bind_tcp));
  append(out.landlock.scopes, std::move(child.landlock.scopes));
  replace(out.landlock.best_effort, child.landlock.best_effort);
  replace(out.seccomp, std::move(child.seccomp));
  replace(out.exec, std::move(child.exec));
  replace(out.network, std::move(child.network));
  for (auto& [stage, mode] : child.stages) out.stages[stage] = mode;
  return out;
}

Result<Profile> load_profile(const Language& language, std::string_view name,
                             const ProfileFinder& finder) {
  std::vector<Profile> chain;  // from the one asked for up to its oldest ancestor
  std::string wanted(name);
  std::string asked_by;
  while (!wanted.empty()) {
    const ProfileText text = TRY(find_text(language, wanted, finder, asked_by));
    const bool seen = std::any_of(chain.begin(), chain.end(), [&](const Profile& profile) {
      return profile.file == text.file;
    });
    if (seen || chain.size() >= kMaxParents) {
      asked_by.append("extends: '").append(wanted).append("' makes a circle of profiles");
      return make_error(ErrorKind::kInvalidInput, asked_by);
    }
    Profile profile = TRY(read_profile(text.yaml, text.file));
    if (!profile.language.empty() && profile.language != language.name &&
        find_language(profile.language) != &language) {
      return make_error(ErrorKind::kInvalidInput, text.file + ": language: expected " +
                                                      std::string(language.name) + ", got '" +
                                                      profile.language + "'");
    }
    TRY(check_lists(profile, language));
    wanted = profile.extends;
    asked_by = text.file + ": ";
    chain.push_back(std::move(profile));
  }
  if (chain.empty()) return make_error(ErrorKind::kInvalidInput, "a profile's name is empty");
  Profile merged = std::move(chain.back());
  for (chain.pop_back(); !chain.empty(); chain.pop_back()) {
    merged = merge(std::move(merged), std::move(chain.back()));
  }
  merged.language = language.name;
  return merged;
}

Policy make_policy(const Profile& profile) {
  Policy policy;
  policy.language = profile.language;
  policy.profile = profile.name;
  for (const std::string& name : profile.allow) {
    if (const auto capability = capability_from(name)) {
      policy.allowed.set(static_cast<std::size_t>(*capability));
    }
  }
  for (const std::string& name : profile.deny) {
    if (const auto capability = capability_from(name)) {
      policy.allowed.reset(static_cast<std::size_t>(*capability));
    }
  }
  add_all(policy.modules_allowed, profile.modules);
  policy.modules_blocked.insert(profile.modules.blocked.begin(), profile.modules.blocked.end());
  policy.modules_exclusive = profile.modules.exclusive.value_or(false);
  add_all(policy.functions_allowed, profile.functions);
  policy.functions_blocked.insert(profile.functions.blocked.begin(),
                                  profile.functions.blocked.end());
  policy.attributes_blocked.insert(profile.blocked_attributes.begin(),
                                   profile.blocked_attributes.end());
  add_all(policy.commands_allowed, profile.commands);
  policy.commands_blocked.insert(profile.commands.blocked.begin(), profile.commands.blocked.end());
  policy.patterns = profile.patterns;
  policy.paths_read = profile.paths_read;
  policy.paths_write = profile.paths_write;
  if (profile.limits.source_bytes) policy.max_bytes = *profile.limits.source_bytes;
  const auto closure = profile.stages.find("closure");
  policy.observes_closure =
      closure != profile.stages.end() && closure->second == StageMode::kObserve;
  if (profile.limits.source_nesting) policy.max_nesting = *profile.limits.source_nesting;
  return policy;
}

}  // namespace langsbx::languages
