#include "cmd/langsbxd/audit.h"

#include <fcntl.h>

#include <chrono>

#include "langsbx_version.h"
#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

// Numbers of the schema: https://schema.ocsf.io, version 1.3.
constexpr int kApplicationActivity = 6;
constexpr int kApiActivity = 6003;

struct Activity {
  int id;
  const char* name;
};
Activity activity_of(std::string_view method) {
  if (method == "POST") return {1, "Create"};
  if (method == "GET" || method == "HEAD") return {2, "Read"};
  if (method == "PUT" || method == "PATCH") return {3, "Update"};
  if (method == "DELETE") return {4, "Delete"};
  return {99, "Other"};
}

}  // namespace

Json audit_event(const Call& call, std::string_view route, unsigned status, std::string_view peer) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto activity = activity_of(call.method);
  const bool good = status < 400;
  // Who was turned away for want of a right is of more interest than who mistyped.
  const bool denied = status == 401 || status == 403;
  Json event = {
      {"class_uid", kApiActivity},
      {"class_name", "API Activity"},
      {"category_uid", kApplicationActivity},
      {"category_name", "Application Activity"},
      {"activity_id", activity.id},
      {"activity_name", activity.name},
      {"type_uid", kApiActivity * 100 + activity.id},
      {"severity_id", denied ? 3 : 1},
      {"severity", denied ? "Medium" : "Informational"},
      {"status_id", good ? 1 : 2},
      {"status", good ? "Success" : "Failure"},
      {"status_code", std::to_string(status)},
      {"time", std::chrono::duration_cast<std::chrono::milliseconds>(now).count()},
      {"actor", {{"user", {{"uid", call.key.id}, {"name", call.key.name}}}}},
      {"api",
       {{"operation", call.method + " " + std::string(route)}, {"request", {{"uid", call.id}}}}},
      {"src_endpoint", {{"ip", peer}}},
      {"metadata",
       {{"version", "1.3.0"},
        {"product",
         {{"name", "langsbx"}, {"vendor_name", "langsbx"}, {"version", LANGSBX_VERSION}}}}}};
  if (!call.trace.empty()) event["metadata"]["correlation_uid"] = call.trace;
  return event;
}

Result<Audit> Audit::open(const std::string& path) {
  Audit audit;
  if (path.empty()) return audit;
  audit.file_ = TRY_CONTEXT(
      open_file(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0600), "audit");
  return audit;
}

Result<void> Audit::write(const Call& call, std::string_view route, unsigned status,
                          std::string_view peer) const {
  if (!file_.valid()) return {};
  const auto line =
      audit_event(call, route, status, peer).dump(-1, ' ', false, Json::error_handler_t::replace);
  return write_fd(file_.get(), line + "\n", "audit");
}

}  // namespace langsbx::serve
