// The page for people: files that were put into the program when it was built.
#include "cmd/langsbxd/native.h"
#include "console_files.h"

namespace langsbx::serve::native {
namespace {

// Nothing from elsewhere, nothing inline: what a program prints stays text.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void send(const std::shared_ptr<Exchange>& exchange, const char* text, const char* type) {
  Reply reply;
  reply.body = text;
  reply.type = type;
  reply.headers = {{"content-security-policy", kPolicy},
                   {"x-content-type-options", "nosniff"},
                   {"referrer-policy", "no-referrer"},
                   {"cache-control", "no-cache"}};
  exchange->reply(std::move(reply));
}

}  // namespace

void console_page(Service&, Call&, const std::shared_ptr<Exchange>& exchange) {
  send(exchange, kConsolePage, "text/html; charset=utf-8");
}

void console_style(Service&, Call&, const std::shared_ptr<Exchange>& exchange) {
  send(exchange, kConsoleStyle, "text/css; charset=utf-8");
}

void console_script(Service&, Call&, const std::shared_ptr<Exchange>& exchange) {
  send(exchange, kConsoleScript, "text/javascript; charset=utf-8");
}

}  // namespace langsbx::serve::native
