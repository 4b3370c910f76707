#include "cmd/langsbxd/native.h"
#include "openapi_document.h"

namespace langsbx::serve::native {

void openapi(Service&, Call&, const std::shared_ptr<Exchange>& exchange) {
  Reply reply;
  reply.body = kOpenapiDocument;
  exchange->reply(std::move(reply));
}

}  // namespace langsbx::serve::native
