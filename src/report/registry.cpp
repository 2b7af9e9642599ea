#include "report/report.h"
#include "support/named.h"

#include <algorithm>
#include <numeric>

namespace forewarp::report {

const std::vector<Report>& reports() {
  static const std::vector<Report> table = {
      {"text", "for people: one page a GPU, or one table for several GPUs", write_text},
      {"json", "for programs: data/schema/prediction.schema.json", write_json},
      {"csv", "for spreadsheets: one row a GPU", write_csv},
  };
  return table;
}

Result<const Report*> find_report(const std::string& name) {
  return find_named(reports(), name, {"unknown format", "--format"});
}

std::vector<std::size_t> fastest_first(const Predictions& predictions) {
  std::vector<std::size_t> order(predictions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (predictions[a].valid != predictions[b].valid)
      return predictions[a].valid;
    return predictions[a].time_ms < predictions[b].time_ms;
  });
  return order;
}

} // namespace forewarp::report
