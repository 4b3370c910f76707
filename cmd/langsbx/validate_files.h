// Which files `validate` judges, and as which language.
#pragma once

#include <string>
#include <vector>

#include "languages/language.h"
#include "runtime/base/result.h"

namespace langsbx::cmd {

struct FileToJudge {
  std::string path;  // as findings name it
  std::string bytes;
  const languages::Language* language = nullptr;
  bool object = false;  // an ELF object: the compiler's output is judged
  // Where packages of the program are looked for as well: the directory that was named, and the
  // folder around the packages that the file lies in.
  std::vector<std::string> roots = {};
};

// Files as they are, "-" for standard input, directories with all files in them whose language is
// known (hidden ones and symbolic links are left out). `language` null: by extension and "#!"; a
// file named by itself whose language nothing tells is an error.
Result<std::vector<FileToJudge>> collect_files(const std::vector<std::string>& paths,
                                               const languages::Language* language);

}  // namespace langsbx::cmd
