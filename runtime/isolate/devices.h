// /dev: nodes, links and the console.
#pragma once

#include "runtime/base/result.h"
#include "runtime/isolate/host_sources.h"
#include "runtime/isolate/places.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

Result<void> make_devices(const plan::RootfsPlan& plan, const HostSources& sources, Places& places,
                          bool bind_only);

}  // namespace langsbx::isolate
