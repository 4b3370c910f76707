#include "cmd/langsbxd/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "runtime/execute/limits.h"
#include "runtime/kernel/file.h"
#include "tests/support/temp_dir.h"

namespace langsbx::serve {
namespace {

using testing::HasSubstr;
using testing::Not;

class KeysTest : public testing::Test {
 protected:
  std::string path() { return folder_.path() + "/keys.json"; }
  void write(const std::string& text) { std::ofstream(path()) << text; }

 private:
  test::TempDir folder_;
};

TEST_F(KeysTest, AnAddedKeyIsFoundAndItsSecretIsNotKept) {
  Keys keys;
  Key wanted;
  wanted.name = "ci";
  wanted.allowed.languages = {"python"};
  wanted.allowed.ceilings[execute::limit_index("timeout")] = 5000;
  const auto secret = keys.add(wanted);
  ASSERT_TRUE(secret.ok());
  ASSERT_TRUE(keys.write(path()).ok());
  const auto text = read_file(path());
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, Not(HasSubstr(*secret)));
  struct stat status {};
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  const auto again = Keys::read(path());
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  const Key* found = again->find(*secret);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->name, "ci");
  EXPECT_EQ(found->allowed.languages, (std::vector<std::string>{"python"}));
  EXPECT_EQ(found->allowed.networks, (std::vector<std::string>{"none"}));
  EXPECT_EQ(found->allowed.ceilings[execute::limit_index("timeout")], 5000U);
  EXPECT_EQ(again->find(*secret + "x"), nullptr);
  EXPECT_EQ(again->find(""), nullptr);
}

TEST_F(KeysTest, ARevokedKeyIsGone) {
  Keys keys;
  const auto secret = keys.add({});
  ASSERT_TRUE(secret.ok());
  const std::string id = keys.all()[0].id;
  EXPECT_FALSE(keys.revoke("another"));
  EXPECT_TRUE(keys.revoke(id));
  EXPECT_EQ(keys.find(*secret), nullptr);
}

TEST_F(KeysTest, NoFileHoldsNoKeys) {
  const auto keys = Keys::read(path());
  ASSERT_TRUE(keys.ok());
  EXPECT_TRUE(keys->all().empty());
}

TEST_F(KeysTest, WhatIsWrongIsNamed) {
  const std::string hash(64, 'a');
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"[]", "keys"},
           {"{\"keys\": {}}", "keys"},
           {"{\"keys\": [1]}", "objects"},
           {"{\"keys\": [{\"id\": \"a\"}]}", "sha256"},
           {"{\"keys\": [{\"sha256\": \"" + hash + "\"}]}", "id"},
           {"{\"keys\": [{\"id\": \"a\", \"sha256\": \"" + hash + "\", \"langs\": []}]}", "langs"},
           {"{\"keys\": [{\"id\": \"a\", \"sha256\": \"" + hash + "\", \"languages\": [1]}]}",
            "languages"},
           {"{\"keys\": [{\"id\": \"a\", \"sha256\": \"" + hash +
                "\", \"limits\": {\"pids\": -1}}]}",
            "limits.pids"}}) {
    write(text);
    const auto keys = Keys::read(path());
    ASSERT_FALSE(keys.ok()) << text;
    EXPECT_THAT(keys.error().to_string(), HasSubstr(part)) << text;
    EXPECT_THAT(keys.error().to_string(), HasSubstr(path()));
  }
}

TEST_F(KeysTest, AFileThatOthersCanWriteIsNotBelieved) {
  write("{\"keys\": []}");
  ASSERT_EQ(::chmod(path().c_str(), 0666), 0);
  EXPECT_FALSE(Keys::read(path()).ok());
  ASSERT_EQ(::chmod(path().c_str(), 0644), 0);
  EXPECT_TRUE(Keys::read(path()).ok());
}

TEST_F(KeysTest, AKeyThatIsTakenBackEnds) {
  Keys writing;
  const auto secret = *writing.add({});
  const auto other = *writing.add({});
  ASSERT_TRUE(writing.write(path()).ok());
  auto reading = *Keys::read(path());
  EXPECT_FALSE(*reading.refresh(path()));
  EXPECT_NE(reading.find(secret), nullptr);
  ASSERT_TRUE(writing.revoke(writing.all()[0].id));
  ASSERT_TRUE(writing.write(path()).ok());
  EXPECT_TRUE(*reading.refresh(path()));
  EXPECT_EQ(reading.find(secret), nullptr);
  EXPECT_NE(reading.find(other), nullptr);
  // While the file is wrong, or not there, nobody's key counts; the fault is told once.
  write("{");
  EXPECT_FALSE(reading.refresh(path()).ok());
  EXPECT_EQ(reading.find(other), nullptr);
  EXPECT_TRUE(reading.refresh(path()).ok());
  ASSERT_EQ(::unlink(path().c_str()), 0);
  EXPECT_TRUE(reading.refresh(path()).ok());
  EXPECT_TRUE(reading.all().empty());
}

TEST(RandomId, IsNeverTheSame) {
  EXPECT_NE(random_id().value_or(""), random_id().value_or(""));
  EXPECT_EQ(random_id(21).value_or("").size(), 21U);
  EXPECT_TRUE(new_secret().value_or("").starts_with("lsb_"));
}

}  // namespace
}  // namespace langsbx::serve
