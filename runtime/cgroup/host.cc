// Reads /proc/self/mountinfo and /proc/self/cgroup.
#include "runtime/cgroup/host.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include "runtime/base/text.h"
#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup {
namespace {

// All that kernels have, and one that only has a name.
constexpr std::size_t kUsualHierarchies = 16;

// mountinfo writes space, tab, newline and backslash as \ooo.
std::string unescape(std::string_view field) {
  std::string out;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] == '\\' && i + 3 < field.size()) {
      const std::string digits(field.substr(i + 1, 3));
      out.push_back(static_cast<char>(std::strtol(digits.c_str(), nullptr, 8)));
      i += 3;
    } else {
      out.push_back(field[i]);
    }
  }
  return out;
}

// Super options of a v1 mount that name controllers rather than settings.
bool is_controller(std::string_view option) {
  for (const std::string_view setting : {"rw", "ro", "xattr", "clone_children", "noprefix",
                                         "cpuset_v2_mode", "favordynmods", "seclabel"}) {
    if (option == setting) return false;
  }
  return !option.starts_with("release_agent=");
}

struct Mount {
  std::string_view type;
  Hierarchy hierarchy;
};

// A line of the mount table as far as it says what stands where.
struct Place {
  int id = -1;
  int parent = -1;
  std::string_view path;  // as it is written there
  std::string_view line;
};

std::vector<Place> places_of(std::string_view mountinfo) {
  std::vector<Place> places;
  for (const auto line : split(mountinfo, '\n')) {
    std::string_view rest = line;
    Place place;
    place.line = line;
    place.id = langsbx::to_number<int>(take_part(rest, ' ')).value_or(-1);
    place.parent = langsbx::to_number<int>(take_part(rest, ' ')).value_or(-1);
    take_part(rest, ' ');  // device
    take_part(rest, ' ');  // root
    place.path = take_part(rest, ' ');
    places.push_back(place);
  }
  return places;
}

bool leads_to(std::string_view path, std::string_view target) {
  if (path == "/") return true;
  return target.starts_with(path) && (target.size() == path.size() || target[path.size()] == '/');
}

// The mount table also lists what another mount hides: one over a directory on the way to it.
bool is_hidden(const Place& mount, const std::vector<Place>& places) {
  std::vector<const Place*> way = {&mount};  // from the mount up to the root
  const auto parent_of = [&](const Place& place) {
    return std::find_if(places.begin(), places.end(), [&](const Place& other) {
      return other.id == place.parent && other.id != place.id;
    });
  };
  for (auto up = parent_of(mount); up != places.end() && way.size() < places.size();
       up = parent_of(*way.back())) {
    way.push_back(&*up);
  }
  return std::any_of(places.begin(), places.end(), [&](const Place& other) {
    for (std::size_t i = 0; i < way.size(); ++i) {
      if (way[i]->id != other.parent) continue;
      if (i > 0 && way[i - 1]->id == other.id) return false;
      const auto target = i == 0 ? mount.path : way[i - 1]->path;
      return i == 0 ? other.path == target : leads_to(other.path, target);
    }
    return false;
  });
}

bool parse_mount(std::string_view line, Mount& mount) {
  const auto separator = line.find(" - cgroup");
  if (separator == std::string_view::npos) return false;
  const auto tail = split(line.substr(separator + 3), ' ');
  if (tail.size() < 3 || (tail[0] != "cgroup" && tail[0] != "cgroup2")) return false;
  const auto head = split(line.substr(0, separator), ' ');
  if (head.size() < 5) return false;
  mount.type = tail[0];
  mount.hierarchy.mount_root = unescape(head[3]);
  mount.hierarchy.mount_point = unescape(head[4]);
  if (tail[0] == "cgroup") {
    for (const auto option : split(tail.back(), ',')) {
      if (is_controller(option)) mount.hierarchy.controllers.emplace_back(option);
    }
  }
  return true;
}

// "4:cpu,cpuacct:/path" without its number.
struct OwnPlace {
  std::string_view controllers;  // empty for cgroup2
  std::string_view path;
};

// The next line of /proc/self/cgroup; what is no such line is passed over.
bool next_place(std::string_view& self_cgroup, OwnPlace& place) {
  for (std::string_view line; next_part(self_cgroup, '\n', line);) {
    const auto first = line.find(':');
    const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    place = {line.substr(first + 1, second - first - 1), line.substr(second + 1)};
    return true;
  }
  return false;
}

void set_own_paths(std::string_view self_cgroup, Host& host) {
  for (OwnPlace place; next_place(self_cgroup, place);) {
    if (place.controllers.empty()) {
      host.unified.own_path = place.path;
      continue;
    }
    std::string_view name;
    if (!next_part(place.controllers, ',', name)) continue;
    for (auto& hierarchy : host.hierarchies) {
      if (hierarchy.has(name)) hierarchy.own_path = place.path;
    }
  }
}

void set_mode(Host& host) {
  const bool unified = !host.unified.mount_point.empty();
  if (host.hierarchies.empty()) {
    host.mode = unified ? Mode::kV2 : Mode::kNone;
  } else {
    host.mode = unified ? Mode::kHybrid : Mode::kV1;
  }
}

// Unknown when the kernel does not say.
std::optional<bool> is_filesystem(const std::string& path, decltype(statfs::f_type) type) {
  struct statfs status {};
  if (::statfs(path.c_str(), &status) == 0) return status.f_type == type;
  return errno == ENOENT || errno == ENOTDIR ? std::optional(false) : std::nullopt;
}

// Whether the caller's own cgroup is found there: it would not be if only a part of the hierarchy
// were mounted, without a cgroup namespace. One question can't answer both: a mount of no more than
// the own cgroup may stand at its path below an ordinary directory.
bool shows_own_path(const Hierarchy& hierarchy) {
  return hierarchy.own_path == "/" ||
         ::access(hierarchy.directory(hierarchy.own_path).c_str(), F_OK) == 0;
}

// Where a hierarchy stands when it is mounted under the name of its controllers.
Hierarchy named_hierarchy(const std::string& root, OwnPlace place) {
  Hierarchy hierarchy;
  std::string_view name = place.controllers.empty() ? "unified" : place.controllers;
  if (name.starts_with("name=")) name.remove_prefix(5);
  hierarchy.mount_point.reserve(root.size() + 1 + name.size());
  hierarchy.mount_point.append(root).append("/").append(name);
  hierarchy.own_path = place.path;
  for (std::string_view one; next_part(place.controllers, ',', one);) {
    hierarchy.controllers.emplace_back(one);
  }
  return hierarchy;
}

// Version 1 where each hierarchy is mounted under the name of its controllers, with a cgroup2 mount
// beside them or none. Each is asked what it is: other programs leave ordinary directories under
// the names of hierarchies that are not mounted, with everybody's cgroup paths in them. cgroup2 is
// always in the list, mounted or not.
bool find_named_hierarchies(const std::string& root, std::string_view self_cgroup, Host& host) {
  host.hierarchies.reserve(kUsualHierarchies);
  for (OwnPlace place; next_place(self_cgroup, place);) {
    const bool unified = place.controllers.empty();
    Hierarchy hierarchy = named_hierarchy(root, place);
    const auto mounted =
        is_filesystem(hierarchy.mount_point, unified ? CGROUP2_SUPER_MAGIC : CGROUP_SUPER_MAGIC);
    // Then the table of mounts has to say it.
    if (!mounted) return false;
    if (unified) {
      host.unified.own_path = place.path;
      if (*mounted) host.unified = std::move(hierarchy);
    } else if (*mounted && !hierarchy.controllers.empty()) {
      host.hierarchies.push_back(std::move(hierarchy));
    } else {
      return false;
    }
  }
  return !host.hierarchies.empty();
}

std::optional<Host> usual_host(const std::string& root, std::string_view self_cgroup) {
  Host host;
  // Hierarchies of version 1 stand first in the list, where there are any.
  if (!self_cgroup.starts_with("0::")) {
    if (!find_named_hierarchies(root, self_cgroup, host)) return {};
  } else if (is_filesystem(root, CGROUP2_SUPER_MAGIC).value_or(false)) {
    host.unified.mount_point = root;
    set_own_paths(self_cgroup, host);
  } else {
    return {};
  }
  set_mode(host);
  const bool shown =
      std::all_of(host.hierarchies.begin(), host.hierarchies.end(), shows_own_path) &&
      (host.unified.mount_point.empty() || shows_own_path(host.unified));
  if (!shown) return {};
  return host;
}

}  // namespace

bool Hierarchy::has(std::string_view controller) const {
  return std::find(controllers.begin(), controllers.end(), controller) != controllers.end();
}

std::string Hierarchy::directory(std::string_view path) const {
  if (mount_root != "/" && path.starts_with(mount_root) &&
      (path.size() == mount_root.size() || path[mount_root.size()] == '/')) {
    path.remove_prefix(mount_root.size());
  }
  return join_path(mount_point, path);
}

const Hierarchy* Host::find(std::string_view controller) const {
  for (const auto& hierarchy : hierarchies) {
    if (hierarchy.has(controller)) return &hierarchy;
  }
  return nullptr;
}

Host parse_host(std::string_view mountinfo, std::string_view self_cgroup) {
  Host host;
  const auto places = places_of(mountinfo);
  for (const auto& place : places) {
    Mount mount;
    if (!parse_mount(place.line, mount) || is_hidden(place, places)) continue;
    if (mount.type == "cgroup2") {
      if (host.unified.mount_point.empty()) host.unified = std::move(mount.hierarchy);
      continue;
    }
    // The same hierarchy may be mounted twice; the first mount is the host's own.
    if (mount.hierarchy.controllers.empty() || host.find(mount.hierarchy.controllers.front())) {
      continue;
    }
    host.hierarchies.push_back(std::move(mount.hierarchy));
  }
  set_own_paths(self_cgroup, host);
  set_mode(host);
  return host;
}

Result<Host> detect(const std::string& proc, const std::string& root) {
  const auto self_cgroup = TRY_CONTEXT(read_kernel_file(AT_FDCWD, (proc + "/self/cgroup").c_str()),
                                       "cgroups of this process");
  // The usual cases need no walk through a mount table that may have thousands of lines.
  if (auto host = usual_host(root, self_cgroup)) return *std::move(host);
  return parse_host(TRY_CONTEXT(read_file(proc + "/self/mountinfo"), "mounted cgroups"),
                    self_cgroup);
}

}  // namespace langsbx::cgroup
