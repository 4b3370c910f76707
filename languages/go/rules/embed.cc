// Rule go-embed.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kEmbed = {"go-embed",
                     FindingType::kFileAccess,
                     Capability::kFilesOutside,
                     Severity::kError,
                     "embeds {}",
                     "go:embed takes files into the program while it is built.",
                     "Open the file at run time, or name a plain file beside the source."};

}  // namespace langsbx::languages::go
