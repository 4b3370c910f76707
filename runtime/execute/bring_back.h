// What a run left, put where the caller finds it: whole or not at all, and never over the caller's
// own files.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/execute/request.h"

namespace langsbx::execute {

// --keep: all files, as the directory langsbx-ID here.
Result<void> bring_kept(Record& record);

// --artifact: into `folder`, where files of these names are replaced; it is made where it is
// missing. Empty: here, where a name that is taken by other content is left out. The record's
// artifacts are those that arrived.
Result<void> bring_artifacts(Record& record, const std::string& folder);

}  // namespace langsbx::execute
