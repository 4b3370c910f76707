// mounts[].options: words, their recursive spellings, data, and crun's idmap ranges.
#include "runtime/plan/mount_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/mount.h>

#include "runtime/plan/idmap_option.h"

namespace langsbx::plan {
namespace {

using ::testing::HasSubstr;

MountOptions parsed(const std::vector<std::string>& options) {
  auto result = parse_mount_options(options, "mounts[0]");
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? result.release_value() : MountOptions();
}

TEST(MountOptions, ALaterWordUndoesAnEarlierOne) {
  const auto options = parsed({"ro", "nosuid", "rw", "noexec", "exec"});
  EXPECT_EQ(options.attributes.set, std::uint64_t{MOUNT_ATTR_NOSUID});
  EXPECT_EQ(options.attributes.clear, std::uint64_t{MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC});
  EXPECT_FALSE(options.readonly);
}

TEST(MountOptions, RecursiveWordsStandApart) {
  const auto options = parsed({"rbind", "rro", "ro"});
  EXPECT_TRUE(options.bind && options.recursive_bind && options.readonly);
  EXPECT_EQ(options.recursive.set, std::uint64_t{MOUNT_ATTR_RDONLY});
  EXPECT_EQ(options.attributes.set, std::uint64_t{MOUNT_ATTR_RDONLY});
}

TEST(MountOptions, UnknownWordsAreData) {
  const auto options = parsed({"size=64k,mode=755", "inode64"});
  ASSERT_EQ(options.data.size(), 3U);
  EXPECT_EQ(options.data[1], std::make_pair(std::string("mode"), std::string("755")));
  EXPECT_EQ(options.data[2].second, "");
  EXPECT_THAT(parse_mount_options({"bind", "mode=755"}, "mounts[0]").error().message,
              HasSubstr("\"mode=755\""));
}

std::uint64_t times(const std::vector<std::string>& words) {
  const auto named = parsed(words).named_times;
  return named == 0 ? std::uint64_t{MOUNT_ATTR__ATIME} : times_of(named);  // no value of its own
}

TEST(MountOptions, OnlyWordsThatSetTimesOfAccessNameThem) {
  const std::uint64_t none = MOUNT_ATTR__ATIME;
  EXPECT_EQ(times({"ro"}), none);
  for (const char* word : {"atime", "norelatime", "nostrictatime", "diratime"}) {
    EXPECT_EQ(times({word}), none) << word;
    EXPECT_TRUE(parsed({word}).names_flags) << word;
  }
  EXPECT_EQ(times({"noatime"}), std::uint64_t{MOUNT_ATTR_NOATIME});
  EXPECT_EQ(times({"noatime", "atime"}), none) << "taken back";
  EXPECT_EQ(times({"relatime"}), std::uint64_t{MOUNT_ATTR_RELATIME});
  EXPECT_EQ(times({"nodiratime", "norelatime"}), std::uint64_t{MOUNT_ATTR_NODIRATIME});
  EXPECT_EQ(times({"nodiratime", "strictatime", "noatime"}),
            std::uint64_t{MOUNT_ATTR_NODIRATIME | MOUNT_ATTR_STRICTATIME});
  EXPECT_FALSE(parsed({"bind", "rprivate", "rro"}).names_flags);
}

TEST(MountOptions, EveryKnownWordParses) {
  for (const auto& word : known_mount_options()) {
    EXPECT_TRUE(parsed({word}).data.empty()) << word << " was taken for data";
  }
}

std::string mapping(std::string_view value) {
  const std::vector<oci::IdMapping> container = {{0, 100000, 10}, {10, 200000, 5}};
  auto option = parse_idmap_option(value, container, container, "mounts[0]");
  if (!option.ok()) return option.error().message;
  std::string text;
  for (const auto& range : option->uids) {
    text += "u" + std::to_string(range.container_id) + "-" + std::to_string(range.host_id) + "-" +
            std::to_string(range.size);
  }
  for (const auto& range : option->gids) {
    text += "g" + std::to_string(range.container_id) + "-" + std::to_string(range.host_id) + "-" +
            std::to_string(range.size);
  }
  return text;
}

TEST(IdMapOption, ReadsRanges) {
  EXPECT_EQ(mapping(""), "");
  EXPECT_EQ(mapping("uids=0-1-10#10-11-10;gids=0-100-10"), "u0-1-10u10-11-10g0-100-10");
  EXPECT_EQ(mapping("uids=@1-3-7"), "u1-100003-7");
  EXPECT_EQ(mapping("gids=@1-12-3"), "g1-200002-3");
}

TEST(IdMapOption, RefusesWhatItCannotMean) {
  for (const char* wrong :
       {"uids=1-2", "uids=1-2-0", "uids=a-2-3", "uids=1-2-3-4", "uids=-1-2-3"}) {
    EXPECT_THAT(mapping(wrong), HasSubstr("FROM-TO-LENGTH")) << wrong;
  }
  EXPECT_THAT(mapping("both=0-1-1"), HasSubstr("uids= or gids="));
  EXPECT_THAT(mapping("uids=@0-9-2"), HasSubstr("in no mapping")) << "reaches beyond its range";
  EXPECT_THAT(mapping("uids=@0-15-1"), HasSubstr("in no mapping"));
}

}  // namespace
}  // namespace langsbx::plan
