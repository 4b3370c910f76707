// What is written is JSON with just that in it, whatever bytes stand in the texts.
#include "runtime/base/json_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace langsbx {
namespace {

using nlohmann::json;

TEST(JsonWriter, EveryKindOfValue) {
  JsonWriter out;
  out.add("text", "a");
  out.add("empty", std::string());
  out.add("yes", true);
  out.add("no", false);
  out.add("most", std::numeric_limits<std::uint64_t>::max());
  out.add("names", std::vector<std::string>{"x", "", "y"});
  out.add("none", std::vector<std::string>());
  out.add_json("nothing", "");
  out.add_json("document", "[1]");
  out.open_object("inside");
  out.close_object();
  out.open_list("items");
  out.open_item();
  out.add("n", std::uint64_t{1});
  out.close_object();
  out.open_item();
  out.close_object();
  out.close_list();
  EXPECT_EQ(out.finish(),
            "{\"text\":\"a\",\"empty\":\"\",\"yes\":true,\"no\":false,"
            "\"most\":18446744073709551615,\"names\":[\"x\",\"\",\"y\"],\"none\":[],"
            "\"nothing\":null,\"document\":[1],\"inside\":{},\"items\":[{\"n\":1},{}]}");
}

TEST(JsonWriter, NothingIsAnObject) { EXPECT_EQ(JsonWriter().finish(), "{}"); }

TEST(JsonWriter, EveryByteAtEveryPlaceOfEveryLength) {
  constexpr std::size_t kLongest = 19;  // two blocks of eight and a rest
  for (int byte = 0; byte < 128; ++byte) {
    for (std::size_t size = 1; size <= kLongest; ++size) {
      for (std::size_t place = 0; place < size; ++place) {
        std::string text(size, ' ');
        text[place] = static_cast<char>(byte);
        JsonWriter out;
        out.add_entry(text, text);
        const json read = json::parse(out.finish(), nullptr, false);
        ASSERT_TRUE(read.is_object()) << byte << " at " << place << " of " << size;
        ASSERT_EQ(read.begin().key(), text);
        ASSERT_EQ(read.begin().value(), text);
      }
    }
  }
}

TEST(JsonWriter, GrowsBeyondItsGuess) {
  constexpr int kMany = 300;
  JsonWriter out(10);
  out.open_list("items");
  for (int i = 0; i < kMany; ++i) out.add_item(std::string(static_cast<std::size_t>(i), 'x'));
  out.close_list();
  out.add_entry({}, {});
  const json read = json::parse(out.finish());
  ASSERT_EQ(read["items"].size(), kMany);
  EXPECT_EQ(read["items"][kMany - 1], std::string(kMany - 1, 'x'));
  EXPECT_EQ(read[""], "");
}

TEST(JsonWriter, UnicodeStaysAndTheRestIsReplaced) {
  JsonWriter out;
  out.add("whole", "12345678\xf0\x9f\x90\xb3");
  out.add("broken", "12345678\xff");
  const json read = json::parse(out.finish());
  EXPECT_EQ(read["whole"], "12345678\xf0\x9f\x90\xb3");
  EXPECT_EQ(read["broken"], "12345678\xef\xbf\xbd");
}

}  // namespace
}  // namespace langsbx
