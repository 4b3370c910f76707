#include "cmd/langsbxd/request_check.h"

#include <gtest/gtest.h>

namespace langsbx::serve {
namespace {

namespace http = boost::beast::http;

Call call_with(const std::string& host, const std::string& origin = {}) {
  http::request<http::string_body> head{http::verb::get, "/", 11};
  if (!host.empty()) head.set(http::field::host, host);
  if (!origin.empty()) head.set(http::field::origin, origin);
  return call_of(head);
}

TEST(CheckOrigin, OnLoopbackTheHostIsOurs) {
  Config config;
  config.hosts = {"code.example.org"};
  for (const char* host :
       {"localhost:8700", "127.0.0.1", "[::1]:8700", "code.example.org", "LOCALHOST"}) {
    EXPECT_FALSE(check_origin(call_with(host), config, true)) << host;
  }
  for (const char* host :
       {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8700"}) {
    EXPECT_TRUE(check_origin(call_with(host), config, true)) << host;
  }
  EXPECT_FALSE(check_origin(call_with("any.example"), config, false));
}

TEST(CheckOrigin, APageOfAnotherSiteMayNotCall) {
  Config config;
  config.hosts = {"code.example.org"};
  EXPECT_FALSE(check_origin(call_with("localhost:8700", "http://localhost:8700"), config, true));
  EXPECT_FALSE(check_origin(call_with("localhost:8700", "https://code.example.org"), config, true));
  for (const char* origin : {"http://evil.example", "null", "http://localhost:9999",
                             "http://localhost:8700.evil.example", "file://"}) {
    EXPECT_TRUE(check_origin(call_with("localhost:8700", origin), config, true)) << origin;
  }
}

TEST(CallOf, ReadsPathAndQuery) {
  const http::request<http::string_body> head{http::verb::get, "/v1/a%20b/?x=1+2&y=%3D&z&=", 11};
  const auto call = call_of(head);
  EXPECT_EQ(call.path, "/v1/a b/");
  EXPECT_EQ(call.query_value("x"), "1 2");
  EXPECT_EQ(call.query_value("y"), "=");
  EXPECT_EQ(call.query_value("z"), "");
  EXPECT_FALSE(call.id.empty());
}

TEST(CallOf, TakesTheCallersIdWithoutWhatALogMayNotHold) {
  http::request<http::string_body> head{http::verb::get, "/", 11};
  head.set("X-Request-Id", "a-b\"\x1b[31m_1");
  EXPECT_EQ(call_of(head).id, "a-b31m_1");
}

TEST(CallOf, TakesTheTraceOfARightHeaderOnly) {
  const auto trace_of = [](const std::string& header) {
    http::request<http::string_body> head{http::verb::get, "/", 11};
    head.set("traceparent", header);
    return call_of(head).trace;
  };
  const std::string id = "4bf92f3577b34da6a3ce929d0e0e4736";
  EXPECT_EQ(trace_of("00-" + id + "-00f067aa0ba902b7-01"), id);
  EXPECT_EQ(trace_of("cc-" + id + "-00f067aa0ba902b7-01-more"), id);  // of a later version
  for (const std::string header :
       {"", "00", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473_-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736 00f067aa0ba902b7-01"}) {
    EXPECT_EQ(trace_of(header), "") << header;
  }
}

TEST(PercentDecoded, LeavesWhatIsCutAsItIs) {
  EXPECT_EQ(percent_decoded("%41%4", false), "A%4");
  EXPECT_EQ(percent_decoded("%zz+", false), "%zz+");
}

}  // namespace
}  // namespace langsbx::serve
