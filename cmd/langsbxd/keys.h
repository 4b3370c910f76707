// Who may call the service, and what they may ask for. Keys are kept as hashes in one JSON file.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/execute/request.h"

namespace langsbx::serve {

// An empty list allows all there is.
struct Allowed {
  std::vector<std::string> languages, profiles, tiers;
  std::vector<std::string> networks = {"none"};
  execute::LimitOptions ceilings;  // a request can only go lower
  std::size_t running = 0;         // runs at a time; 0: as many as the service
  std::size_t waiting = 0;         // in the queue; 0: the service's own bound for each key
};

struct Key {
  std::string id;    // not secret: names the key in lists, logs and the queue
  std::string name;  // what its owner calls it
  std::string hash;  // SHA-256 of the secret, in hexadecimal digits
  std::string made;  // when, RFC 3339
  Allowed allowed;
};

class Keys {
 public:
  // A file that is not there holds no keys. An error names member and file.
  static Result<Keys> read(const std::string& path);
  Result<void> write(const std::string& path) const;
  // Reads the file again when it is another one than was read last: a key that was taken back ends
  // with it. True: it was. After an error there are no keys.
  Result<bool> refresh(const std::string& path);

  // Gives the secret; it is not kept and can't be asked for again.
  Result<std::string> add(Key key);
  // By id; false when there is none.
  bool revoke(std::string_view id);

  // In constant time for each key: how much of a secret is right can't be measured.
  [[nodiscard]] const Key* find(std::string_view secret) const;
  [[nodiscard]] const std::vector<Key>& all() const { return keys_; }

 private:
  // Of the file that was read; a file that is replaced has another number.
  struct Stamp {
    std::uint64_t device = 0, number = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const struct stat& status);

  std::vector<Key> keys_;
  Stamp stamp_;
};

// "lsb_" and 256 random bits.
Result<std::string> new_secret();
// 128 random bits in `length` letters, digits, - and _ ; at least 21 hold them.
Result<std::string> random_id(std::size_t length = 22);
std::string hash_of(std::string_view secret);

}  // namespace langsbx::serve
