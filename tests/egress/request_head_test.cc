#include "runtime/egress/request_head.h"

#include <gtest/gtest.h>

namespace langsbx::egress {
namespace {

RequestHead head_of(const std::string& text) {
  auto head = parse_head(text);
  EXPECT_TRUE(head.ok()) << text << ": " << head.error().to_string();
  return head.ok() ? head.release_value() : RequestHead();
}

TEST(RequestHead, Tunnel) {
  const auto head = head_of("CONNECT Example.org:443 HTTP/1.1\r\nHost: other.net\r\n\r\n");
  EXPECT_TRUE(head.tunnel);
  EXPECT_EQ(head.host, "example.org");
  EXPECT_EQ(head.port, 443);
  EXPECT_EQ(head.forward, "");
  EXPECT_EQ(head_of("CONNECT [::1]:443 HTTP/1.1\r\n\r\n").host, "::1");
}

TEST(RequestHead, PlainRequestGetsTheHostThatWasJudged) {
  const auto head = head_of(
      "GET http://example.org:8080/a?b#c HTTP/1.1\r\nHost: inner.example.org\r\nAccept: x\r\n"
      "Proxy-Authorization: secret\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_FALSE(head.tunnel);
  EXPECT_EQ(head.port, 8080);
  EXPECT_EQ(
      head.forward,
      "GET /a?b HTTP/1.1\r\nHost: example.org:8080\r\nAccept: x\r\nConnection: close\r\n\r\n");
}

TEST(RequestHead, PathsOfAllKinds) {
  EXPECT_TRUE(head_of("GET http://a HTTP/1.0\r\n\r\n").forward.starts_with("GET / HTTP/1.1\r\n"));
  EXPECT_TRUE(head_of("GET http://a?q HTTP/1.1\r\n\r\n").forward.starts_with("GET /?q HTTP/1.1"));
  EXPECT_EQ(head_of("GET HTTP://a/ HTTP/1.1\r\n\r\n").port, 80);
}

TEST(RequestHead, Body) {
  EXPECT_EQ(head_of("POST http://a/ HTTP/1.1\r\nContent-Length: 12\r\n\r\n").body, 12U);
  EXPECT_EQ(head_of("CONNECT a:1 HTTP/1.1\r\nContent-Length: 12\r\n\r\n").body, 0U);
}

TEST(RequestHead, Refused) {
  for (const char* text :
       {"",
        "\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET https://a/ HTTP/1.1\r\n\r\n",
        "GET ftp://a/ HTTP/1.1\r\n\r\n",
        "GET http:///x HTTP/1.1\r\n\r\n",
        "GET http://a@b/ HTTP/1.1\r\n\r\n",
        "GET http://a:0/ HTTP/1.1\r\n\r\n",
        "GET http://a:x/ HTTP/1.1\r\n\r\n",
        "GET http://a/ HTTP/2\r\n\r\n",
        "GET http://a/ b HTTP/1.1\r\n\r\n",
        "CONNECT a HTTP/1.1\r\n\r\n",
        "CONNECT a: HTTP/1.1\r\n\r\n",
        "CONNECT a:99999 HTTP/1.1\r\n\r\n",
        "CONNECT http://a:1 HTTP/1.1\r\n\r\n",
        "CONNECT ::1:443 HTTP/1.1\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nno colon\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\n folded: x\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nA: b\n\nC: d\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nA: \x01\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nContent-Length: 1 1\r\n\r\n",
        "G T http://a/ HTTP/1.1\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nA: b\r\n"}) {
    EXPECT_FALSE(parse_head(text).ok()) << text;
  }
}

}  // namespace
}  // namespace langsbx::egress
