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
      Route{"GET", "/healthz", native::healthz, true},
      Route{"GET", "/livez", native::healthz, true},
      Route{"GET", "/readyz", native::readyz, true},
      Route{"GET", "/metrics", native::metrics},
      Route{"GET", "/openapi.json", native::openapi, true},
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
