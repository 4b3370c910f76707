// Every path that the service answers, and who answers it.
#include <array>

#include "cmd/langsbxd/doors/doors.h"
#include "cmd/langsbxd/native.h"
#include "cmd/langsbxd/service.h"

namespace langsbx::serve {

std::span<const Route> all_routes() {
  static constexpr std::array kRoutes = {
      Route{"POST", "/v1/execute", native::execute},
      Route{"POST", "/v1/validate", native::validate},
      Route{"GET", "/v1/runs/{}", native::show_run},
      Route{"DELETE", "/v1/runs/{}", native::delete_run},
      Route{"GET", "/v1/runs/{}/events", native::run_events},
      Route{"GET", "/v1/languages", native::languages},
      Route{"GET", "/", native::console_page, true},
      Route{"GET", "/console.css", native::console_style, true},
      Route{"GET", "/console.js", native::console_script, true},
      Route{"GET", "/healthz", native::healthz, true},
      Route{"GET", "/livez", native::healthz, true},
      Route{"GET", "/readyz", native::readyz, true},
      Route{"GET", "/metrics", native::metrics},
      Route{"GET", "/openapi.json", native::openapi, true},
      // Blue
      Route{"POST", "/api/v1/sandbox/execute", doors::blue_execute},
      Route{"GET", "/api/v1/sandbox/status/{}", doors::blue_status},
      Route{"POST", "/api/v1/sandbox/kill/{}", doors::blue_kill},
      Route{"PATCH", "/api/v1/sandbox/config", doors::blue_config},
      Route{"GET", "/api/v1/sandbox/info", doors::blue_info},
      // Judge0
      Route{"POST", "/submissions", doors::judge0_submit},
      Route{"POST", "/submissions/batch", doors::judge0_submit_batch},
      Route{"GET", "/submissions/batch", doors::judge0_show_batch},
      Route{"GET", "/submissions/{}", doors::judge0_show},
      Route{"DELETE", "/submissions/{}", doors::judge0_delete},
      Route{"GET", "/languages", doors::judge0_languages},
      Route{"GET", "/languages/all", doors::judge0_languages},
      Route{"GET", "/languages/{}", doors::judge0_language},
      Route{"GET", "/statuses", doors::judge0_statuses},
      Route{"GET", "/about", doors::judge0_about},
      Route{"GET", "/workers", doors::judge0_workers},
      // code-sandbox
      Route{"POST", "/execute", doors::code_sandbox_execute},
      Route{"GET", "/profile", doors::code_sandbox_profile},
      // Piston, version 2 of its interface
      Route{"POST", "/api/v2/execute", doors::piston_execute},
      Route{"GET", "/api/v2/runtimes", doors::piston_runtimes},
      // SandboxFusion
      Route{"POST", "/run_code", doors::sandbox_fusion_run},
      Route{"GET", "/v1/ping", doors::sandbox_fusion_ping, true},
      // snekbox
      Route{"POST", "/eval", doors::snekbox_eval},
      // dify-sandbox
      Route{"POST", "/v1/sandbox/run", doors::dify_run},
      Route{"GET", "/health", doors::dify_health, true},
  };
  return kRoutes;
}

}  // namespace langsbx::serve
