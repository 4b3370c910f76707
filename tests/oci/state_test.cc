// The state documents, byte for byte: hooks and clients match them as text.
#include "oci/state.h"

#include <gtest/gtest.h>

namespace langsbx::oci {
namespace {

State example() {
  State state;
  state.oci_version = "1.3.0";
  state.id = "box";
  state.status = Status::kRunning;
  state.pid = 42;
  state.bundle = "/srv/box";
  state.rootfs = "/srv/box/rootfs";
  state.created = "2026-11-18T13:57:33Z";
  state.owner = "root";
  return state;
}

TEST(StateDocument, ForHooks) {
  State state = example();
  EXPECT_EQ(hook_state_json(state),
            R"({"ociVersion":"1.3.0","id":"box","status":"running","pid":42,"bundle":"/srv/box"})");
  state.status = Status::kStopped;
  state.pid = 0;
  state.annotations = {{"a", "b/c"}};
  EXPECT_EQ(hook_state_json(state),
            R"({"ociVersion":"1.3.0","id":"box","status":"stopped","bundle":"/srv/box",)"
            R"("annotations":{"a":"b/c"}})");
}

TEST(StateDocument, ForPeopleAndClients) {
  EXPECT_EQ(state_json(example()), R"({
  "ociVersion": "1.3.0",
  "id": "box",
  "pid": 42,
  "status": "running",
  "bundle": "/srv/box",
  "rootfs": "/srv/box/rootfs",
  "created": "2026-11-18T13:57:33Z",
  "owner": "root"
})");
}

TEST(StateDocument, Lists) {
  EXPECT_EQ(state_list_json({}), "null");
  State state = example();
  state.bundle = "/\xff";
  const std::string text = state_list_json({state});
  EXPECT_EQ(text.substr(0, 32), R"([{"ociVersion":"1.3.0","id":"box)");
  EXPECT_NE(text.find("\"/\xef\xbf\xbd\""), std::string::npos);
}

TEST(StateDocument, ForSeccompListeners) {
  EXPECT_EQ(
      seccomp_listener_json(example(), 43, "m"),
      R"({"ociVersion":"1.3.0","fds":["seccompFd"],"pid":43,"metadata":"m","state":)"
      R"({"ociVersion":"1.3.0","id":"box","status":"running","pid":42,"bundle":"/srv/box"}})");
}

TEST(StateDocument, Names) {
  EXPECT_EQ(status_name(Status::kCreating), "creating");
  EXPECT_EQ(status_name(Status::kCreated), "created");
  EXPECT_EQ(status_name(Status::kPaused), "paused");
  EXPECT_EQ(status_name(Status::kStopped), "stopped");
}

TEST(StateDocument, Times) {
  EXPECT_EQ(rfc3339_nano({0, 0}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(rfc3339_nano({1795010253, 120000000}), "2026-11-18T13:57:33.12Z");
  EXPECT_EQ(rfc3339_nano({1795010253, 1}), "2026-11-18T13:57:33.000000001Z");
  EXPECT_EQ(rfc3339_nano({1795010253, 999999999}), "2026-11-18T13:57:33.999999999Z");
  EXPECT_EQ(rfc3339_nano({951782400, 0}), "2000-02-29T00:00:00Z");
  EXPECT_EQ(rfc3339_nano({253402300799, 100}), "9999-12-31T23:59:59.0000001Z");
}

}  // namespace
}  // namespace langsbx::oci
