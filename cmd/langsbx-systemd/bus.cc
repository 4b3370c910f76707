// sd-bus: messages to org.freedesktop.systemd1.
#include "cmd/langsbx-systemd/bus.h"

#include <systemd/sd-bus.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace langsbx::systemd_helper {
namespace {

constexpr const char* kService = "org.freedesktop.systemd1";
constexpr const char* kPath = "/org/freedesktop/systemd1";
constexpr const char* kManager = "org.freedesktop.systemd1.Manager";

struct CloseBus {
  void operator()(sd_bus* bus) const { sd_bus_flush_close_unref(bus); }
};
struct DropMessage {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using Bus = std::unique_ptr<sd_bus, CloseBus>;
using Message = std::unique_ptr<sd_bus_message, DropMessage>;

struct BusError {
  sd_bus_error error{};
  BusError() = default;
  BusError(const BusError&) = delete;
  BusError& operator=(const BusError&) = delete;
  ~BusError() { sd_bus_error_free(&error); }
  [[nodiscard]] bool is(const char* name) const { return sd_bus_error_has_name(&error, name) != 0; }
};

// sd-bus returns negative errno.
Error failed(const std::string& what, int code) { return system_error(what, -code); }

Error failed(const std::string& what, int code, const BusError& reason) {
  if (reason.error.message == nullptr) return failed(what, code);
  return make_error(ErrorKind::kSystem, what + ": " + reason.error.message);
}

Result<Bus> connect(bool user) {
  sd_bus* bus = nullptr;
  const int code = user ? sd_bus_open_user(&bus) : sd_bus_open_system(&bus);
  if (code < 0) return failed(user ? "connect to the user bus" : "connect to the system bus", code);
  return Bus(bus);
}

Result<Message> new_call(sd_bus* bus, const char* member) {
  sd_bus_message* message = nullptr;
  const int code = sd_bus_message_new_method_call(bus, &message, kService, kPath, kManager, member);
  if (code < 0) return failed(member, code);
  return Message(message);
}

int append_list(sd_bus_message* message, const Property& property) {
  int code = sd_bus_message_open_container(message, 'a', "s");
  for (const auto& entry : property.value) {
    if (code < 0 || !entry.is_string()) return code < 0 ? code : -EINVAL;
    code = sd_bus_message_append(message, "s", entry.get_ref<const std::string&>().c_str());
  }
  return code < 0 ? code : sd_bus_message_close_container(message);
}

int append_bytes(sd_bus_message* message, const Property& property) {
  std::vector<std::uint8_t> bytes;
  for (const auto& entry : property.value) {
    if (!entry.is_number_unsigned() || entry.get<unsigned>() > 255) return -EINVAL;
    bytes.push_back(entry.get<std::uint8_t>());
  }
  return sd_bus_message_append_array(message, 'y', bytes.data(), bytes.size());
}

int append_pairs(sd_bus_message* message, const Property& property) {
  int code = sd_bus_message_open_container(message, 'a', "(ss)");
  for (const auto& entry : property.value) {
    if (code < 0) return code;
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_string()) {
      return -EINVAL;
    }
    code = sd_bus_message_append(message, "(ss)", entry[0].get_ref<const std::string&>().c_str(),
                                 entry[1].get_ref<const std::string&>().c_str());
  }
  return code < 0 ? code : sd_bus_message_close_container(message);
}

int append_value(sd_bus_message* message, const Property& property) {
  const auto& value = property.value;
  const std::string& type = property.signature;
  if (type == "s" && value.is_string()) {
    return sd_bus_message_append(message, "s", value.get_ref<const std::string&>().c_str());
  }
  if (type == "b" && value.is_boolean()) {
    return sd_bus_message_append(message, "b", value.get<bool>() ? 1 : 0);
  }
  if (type == "d" && value.is_number()) {
    return sd_bus_message_append(message, "d", value.get<double>());
  }
  if (type.size() == 1 && value.is_number_integer()) {
    if (type == "i") return sd_bus_message_append(message, "i", value.get<std::int32_t>());
    if (type == "u") return sd_bus_message_append(message, "u", value.get<std::uint32_t>());
    if (type == "x") return sd_bus_message_append(message, "x", value.get<std::int64_t>());
    if (type == "t") return sd_bus_message_append(message, "t", value.get<std::uint64_t>());
  }
  if (value.is_array()) {
    if (type == "as") return append_list(message, property);
    if (type == "ay") return append_bytes(message, property);
    if (type == "a(ss)") return append_pairs(message, property);
  }
  return -EINVAL;
}

Result<void> append_property(sd_bus_message* message, const Property& property) {
  int code = sd_bus_message_open_container(message, 'r', "sv");
  if (code >= 0) code = sd_bus_message_append(message, "s", property.name.c_str());
  if (code >= 0) code = sd_bus_message_open_container(message, 'v', property.signature.c_str());
  if (code >= 0) code = append_value(message, property);
  if (code >= 0) code = sd_bus_message_close_container(message);
  if (code >= 0) code = sd_bus_message_close_container(message);
  if (code < 0) return failed("property " + property.name, code);
  return {};
}

Result<void> append_properties(sd_bus_message* message, const Request& request, bool with_pid) {
  int code = sd_bus_message_open_container(message, 'a', "(sv)");
  if (code < 0) return failed("properties", code);
  for (const auto& property : request.properties) TRY(append_property(message, property));
  if (with_pid && request.pid != 0) {
    code = sd_bus_message_append(message, "(sv)", "PIDs", "au", 1,
                                 static_cast<std::uint32_t>(request.pid));
    if (code < 0) return failed("property PIDs", code);
  }
  code = sd_bus_message_close_container(message);
  if (code < 0) return failed("properties", code);
  return {};
}

// The end of one job, reported by the JobRemoved signal.
class JobWatch {
 public:
  static Result<std::unique_ptr<JobWatch>> start(sd_bus* bus) {
    auto watch = std::unique_ptr<JobWatch>(new JobWatch());
    // Subscribed before the job exists: a quick job would end unseen.
    int code = sd_bus_match_signal(bus, &watch->slot_, kService, kPath, kManager, "JobRemoved",
                                   &JobWatch::on_signal, watch.get());
    if (code < 0) return failed("subscribe to JobRemoved", code);
    code = sd_bus_call_method(bus, kService, kPath, kManager, "Subscribe", nullptr, nullptr, "");
    // The user manager of a session without a bus broadcasts without subscription.
    if (code < 0 && code != -EEXIST) return failed("Subscribe", code);
    return watch;
  }
  JobWatch(const JobWatch&) = delete;
  JobWatch& operator=(const JobWatch&) = delete;
  ~JobWatch() { sd_bus_slot_unref(slot_); }

  Result<std::string> wait(sd_bus* bus, const std::string& job, std::chrono::seconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    for (;;) {
      for (const auto& [path, result] : removed_) {
        if (path == job) return result;
      }
      int code = sd_bus_process(bus, nullptr);
      if (code < 0) return failed("read from the bus", code);
      if (code > 0) continue;
      const auto left = std::chrono::duration_cast<std::chrono::microseconds>(
          deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0) {
        return make_error(ErrorKind::kTimeout, "no end of job " + job + " within " +
                                                   std::to_string(timeout.count()) + " s");
      }
      code = sd_bus_wait(bus, static_cast<std::uint64_t>(left.count()));
      if (code < 0 && code != -EINTR) return failed("wait for the bus", code);
    }
  }

 private:
  JobWatch() = default;
  static int on_signal(sd_bus_message* message, void* self, sd_bus_error* /*error*/) {
    std::uint32_t id = 0;
    const char* path = nullptr;
    const char* unit = nullptr;
    const char* result = nullptr;
    if (sd_bus_message_read(message, "uoss", &id, &path, &unit, &result) >= 0) {
      static_cast<JobWatch*>(self)->removed_.emplace_back(path, result);
    }
    return 0;
  }

  sd_bus_slot* slot_ = nullptr;
  std::vector<std::pair<std::string, std::string>> removed_;
};

Result<std::string> job_of(sd_bus_message* reply, const char* member) {
  const char* job = nullptr;
  const int code = sd_bus_message_read(reply, "o", &job);
  if (code < 0) return failed(std::string("answer to ") + member, code);
  return std::string(job);
}

Result<std::string> control_group(sd_bus* bus, const std::string& unit) {
  char* path = nullptr;
  int code = sd_bus_path_encode("/org/freedesktop/systemd1/unit", unit.c_str(), &path);
  if (code < 0) return failed("path of unit " + unit, code);
  const std::unique_ptr<char, decltype(&std::free)> owner(path, &std::free);
  const char* interface = unit.ends_with(".slice") ? "org.freedesktop.systemd1.Slice"
                                                   : "org.freedesktop.systemd1.Scope";
  BusError reason;
  char* group = nullptr;
  code = sd_bus_get_property_string(bus, kService, path, interface, "ControlGroup", &reason.error,
                                    &group);
  if (code < 0) return failed("ControlGroup of unit " + unit, code, reason);
  std::string copy(group);
  std::free(group);
  return copy;
}

// One left over from a container of the same id that failed.
void reset_failed(sd_bus* bus, const std::string& unit) {
  sd_bus_call_method(bus, kService, kPath, kManager, "ResetFailedUnit", nullptr, nullptr, "s",
                     unit.c_str());
}

Result<Message> start_transient(sd_bus* bus, const Request& request) {
  for (int attempt = 0;; ++attempt) {
    const auto call = TRY(new_call(bus, "StartTransientUnit"));
    int code = sd_bus_message_append(call.get(), "ss", request.unit.c_str(), "replace");
    if (code < 0) return failed("StartTransientUnit", code);
    TRY(append_properties(call.get(), request, true));
    code = sd_bus_message_append(call.get(), "a(sa(sv))", 0);
    if (code < 0) return failed("StartTransientUnit", code);
    BusError reason;
    sd_bus_message* reply = nullptr;
    code = sd_bus_call(bus, call.get(), 0, &reason.error, &reply);
    if (code >= 0) return Message(reply);
    if (attempt > 0 || !reason.is("org.freedesktop.systemd1.UnitExists")) {
      return failed("unable to start unit \"" + request.unit + "\"", code, reason);
    }
    reset_failed(bus, request.unit);
  }
}

}  // namespace

Result<std::string> start_unit(const Request& request) {
  const auto bus = TRY(connect(request.user_bus));
  auto watch = TRY(JobWatch::start(bus.get()));
  const auto reply = TRY(start_transient(bus.get(), request));
  const std::string job = TRY(job_of(reply.get(), "StartTransientUnit"));
  const std::string result = TRY(watch->wait(bus.get(), job, request.timeout));
  if (result != "done") {
    reset_failed(bus.get(), request.unit);
    return make_error(ErrorKind::kSystem,
                      "unable to start unit \"" + request.unit + "\": job result is " + result);
  }
  return control_group(bus.get(), request.unit);
}

Result<void> stop_unit(const Request& request) {
  const auto bus = TRY(connect(request.user_bus));
  auto watch = TRY(JobWatch::start(bus.get()));
  BusError reason;
  sd_bus_message* answer = nullptr;
  const int code =
      sd_bus_call_method(bus.get(), kService, kPath, kManager, "StopUnit", &reason.error, &answer,
                         "ss", request.unit.c_str(), "replace");
  const Message reply(answer);
  if (code < 0) {
    if (reason.is("org.freedesktop.systemd1.NoSuchUnit")) return {};
    return failed("unable to stop unit \"" + request.unit + "\"", code, reason);
  }
  TRY(watch->wait(bus.get(), TRY(job_of(reply.get(), "StopUnit")), request.timeout));
  reset_failed(bus.get(), request.unit);
  return {};
}

Result<void> set_properties(const Request& request) {
  const auto bus = TRY(connect(request.user_bus));
  const auto call = TRY(new_call(bus.get(), "SetUnitProperties"));
  const int runtime_only = 1;
  int code = sd_bus_message_append(call.get(), "sb", request.unit.c_str(), runtime_only);
  if (code < 0) return failed("SetUnitProperties", code);
  TRY(append_properties(call.get(), request, false));
  BusError reason;
  code = sd_bus_call(bus.get(), call.get(), 0, &reason.error, nullptr);
  if (code < 0) return failed("unable to set properties of \"" + request.unit + "\"", code, reason);
  return {};
}

}  // namespace langsbx::systemd_helper
