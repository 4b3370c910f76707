// A document that says what to run: what is wrong in it is refused, by the member's name.
#include "runtime/execute/request_document.h"

#include <gtest/gtest.h>

namespace langsbx::execute {
namespace {

std::string problem_of(std::string_view text) {
  Request request;
  UniqueFd stdin_file;
  const auto read = read_request(text, request, stdin_file);
  return read.ok() ? "" : read.error().to_string();
}

TEST(RequestDocument, AFaultIsToldByItsMember) {
  for (const auto& [text, member] : std::initializer_list<std::pair<const char*, const char*>>{
           {R"({"allow_hosts": "example.org"})", "allow_hosts"},
           {R"({"allow_hosts": [1]})", "allow_hosts"},
           {R"({"network": "internet"})", "network"},
           {R"({"network": 1})", "network"},
           {R"({"env": ["A=1"]})", "env"},
           {R"({"env": {"A=B": "1"}})", "env"},
           {R"({"env": {"A": 1}})", "env.A"},
           {R"({"files": {}})", "files"},
           {R"({"files": [{"name": "../x", "content": ""}]})", "files[0].name"},
           {R"({"files": [{"name": "x"}]})", "files[0].content"},
           {R"({"files": [{"name": "x", "content": "", "content_base64": ""}]})", "files[0]"},
           {R"({"files": [{"name": "x", "content_base64": "?"}]})", "files[0].content_base64"},
           {R"({"limits": {"wall_time_ms": 0}})", "limits.wall_time_ms"},
           {R"({"limits": {"wall_time_ms": "1"}})", "limits.wall_time_ms"},
           {R"({"limits": {"colour": 1}})", "limits.colour"},
           {R"({"colour": 1})", "colour"},
       }) {
    const std::string whole = std::string(R"({"source": "true", )") + (text + 1);
    EXPECT_NE(problem_of(whole).find(member), std::string::npos) << whole << problem_of(whole);
  }
}

TEST(RequestDocument, AListOfHostsIsTaken) {
  Request request;
  UniqueFd stdin_file;
  const auto read = read_request(
      R"({"language": "bash", "source": "true", "network": "proxy", "allow_hosts": ["example.org"]})",
      request, stdin_file);
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  EXPECT_EQ(request.network, Network::kProxy);
}

}  // namespace
}  // namespace langsbx::execute
