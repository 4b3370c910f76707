// The list of clients, and what several of them need.
#include "cmd/langsbx/clients/client.h"

#include <algorithm>
#include <array>

namespace langsbx::clients {
namespace {

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view kPathLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-";
constexpr std::string_view kProfileLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
constexpr std::string_view kImageLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./:@_-";
constexpr std::size_t kLongestName = 63;

Error refused(std::string problem) {
  return make_error(ErrorKind::kInvalidInput, std::move(problem));
}

bool only(std::string_view text, std::string_view letters) {
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

}  // namespace

std::span<const Client* const> all_clients() {
  static constexpr auto kClients =
      std::array{&kDocker, &kContainerd, &kCrio, &kPodman, &kKubernetes};
  return kClients;
}

const Client* find_client(std::string_view name) {
  const auto clients = all_clients();
  const auto found = std::find_if(clients.begin(), clients.end(),
                                  [&](const Client* client) { return client->name == name; });
  return found == clients.end() ? nullptr : *found;
}

Result<void> check_handler(const Handler& handler) {
  const std::string& name = handler.name;
  if (!only(name, std::string(kLower) + "-") || name.front() == '-' || name.back() == '-' ||
      name.size() > kLongestName)
    return refused("--name: \"" + name + "\": small letters, digits and dashes, at most 63");
  if (name == "runc" || name == "crun")
    return refused("--name: \"" + name + "\" is the name of another runtime");
  if (!only(handler.binary, kPathLetters) || handler.binary.front() != '/')
    return refused("\"" + handler.binary +
                   "\": an absolute path of letters, digits, dots and dashes is needed");
  if (!handler.profile.empty() &&
      (!only(handler.profile, kProfileLetters) || handler.profile.front() == '-' ||
       handler.profile.front() == '.'))
    return refused("--profile: \"" + handler.profile + "\" is not a profile's name");
  if (!only(handler.image, kImageLetters))
    return refused("--image: \"" + handler.image + "\" is not an image's name");
  return {};
}

std::string launcher_path(const Client& client, const Handler& handler) {
  return "/var/lib/langsbx/handlers/" + std::string(client.name) + "/" + handler.name;
}

std::string add_launcher(const Client& client, const Handler& handler, Plan& plan) {
  std::string path = launcher_path(client, handler);
  if (handler.profile.empty()) {
    plan.changes.push_back({path, std::nullopt, 0755, true});
    return handler.binary;
  }
  plan.changes.push_back({path,
                          "#!/bin/sh\n# Written by langsbx install.\nexec " + handler.binary +
                              " --profile " + handler.profile + " \"$@\"\n",
                          0755, true});
  return path;
}

Result<void> remove_launcher(const Client& client, const Host& host, const Handler& handler,
                             Plan& plan) {
  const std::string path = launcher_path(client, handler);
  if (TRY(host.read(path))) plan.changes.push_back({path, std::nullopt, 0755, true});
  return {};
}

}  // namespace langsbx::clients
