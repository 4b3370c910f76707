#include "cmd/langsbxd/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace langsbx::serve {
namespace {

using testing::HasSubstr;

TEST(Metrics, CountsAndHistogramsAreWhatPrometheusReads) {
  Metrics metrics;
  metrics.answered("/v1/runs/{}", "GET", 200, 0.002);
  metrics.answered("/v1/runs/{}", "GET", 200, 100);
  metrics.ran("python", "container", "completed", 0.004);
  metrics.turned_away("queue_full");
  const auto text = metrics.text({3, 2, 1}, "1.0");
  EXPECT_THAT(text, HasSubstr("langsbx_http_requests_total{route=\"/v1/runs/{}\",method=\"GET\","
                              "code=\"200\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("method=\"GET\",le=\"0.0025\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("method=\"GET\",le=\"+Inf\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("langsbx_executions_total{language=\"python\",tier=\"container\","
                              "status=\"completed\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("langsbx_turned_away_total{reason=\"queue_full\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("langsbx_queue_depth 3\n"));
}

}  // namespace
}  // namespace langsbx::serve
