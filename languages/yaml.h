// YAML documents with positions: a thin owner around libfyaml's tree.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"

struct fy_document;
struct fy_node;

namespace langsbx::languages {

class YamlNode {
 public:
  enum class Kind { kScalar, kSequence, kMapping, kAlias };
  explicit YamlNode(fy_node* node) : node_(node) {}
  [[nodiscard]] Kind kind() const;
  [[nodiscard]] std::string_view kind_name() const;
  [[nodiscard]] std::string_view scalar() const;  // empty unless a scalar
  [[nodiscard]] bool quoted() const;
  [[nodiscard]] std::vector<YamlNode> items() const;
  [[nodiscard]] std::vector<std::pair<YamlNode, YamlNode>> pairs() const;
  // "12:3", from 1.
  [[nodiscard]] std::string position() const;

 private:
  fy_node* node_;
};

class YamlDocument {
 public:
  // Refuses invalid YAML, more than 1 MB, duplicate keys. `file` only names it in messages.
  [[nodiscard]] static Result<YamlDocument> parse(std::string_view text, std::string_view file);
  [[nodiscard]] YamlNode root() const;

 private:
  struct Destroy {
    void operator()(fy_document* document) const;
  };
  explicit YamlDocument(fy_document* document) : document_(document) {}
  std::unique_ptr<fy_document, Destroy> document_;
};

}  // namespace langsbx::languages
