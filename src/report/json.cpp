// The report for programs; data/schema/prediction.schema.json is its contract.
#include "report/places.h"
#include "report/report.h"

#include <nlohmann/json.hpp>

namespace forewarp::report {
namespace {

using Json = nlohmann::ordered_json;

Json dims_json(const facts::Dim3& size) {
  return Json::array({size.x, size.y, size.z});
}

Json occupancy_json(const facts::Prediction& p) {
  const facts::Occupancy& o = p.occupancy;
  return {{"active_groups_per_sm", o.active_groups_per_sm},
          {"warps_per_group", o.warps_per_group},
          {"active_warps_per_sm", o.active_warps_per_sm},
          {"max_warps_per_sm", o.max_warps_per_sm},
          {"fraction", o.fraction},
          {"achieved_fraction", p.achieved_occupancy},
          {"limiter", o.limiter},
          {"groups_by_warps", o.groups_by_warps},
          {"groups_by_groups", o.groups_by_groups},
          {"groups_by_registers", o.groups_by_registers},
          {"groups_by_shared", o.groups_by_shared},
          {"next_step", o.next_step}};
}

Json memory_json(const facts::Prediction& p) {
  Json rows = Json::array();
  for (const facts::SiteProfile& row : p.memory) {
    const facts::MemorySite site = row.site < p.sites.size() ? p.sites[row.site] : facts::MemorySite{};
    rows.push_back({{"line", site.location.line},
                    {"column", site.location.column},
                    {"file", file_name(p, site.location)},
                    {"access", kind_name(site.kind)},
                    {"space", facts::to_string(site.space)},
                    {"buffer", site.buffer},
                    {"width_bytes", site.width_bytes},
                    {"class", facts::to_string(row.access)},
                    {"requests", row.requests},
                    {"transactions_per_request", row.transactions_per_request},
                    {"sectors_per_request", row.sectors_per_request},
                    {"l1_hit_rate", row.l1_hit_rate},
                    {"l2_hit_rate", row.l2_hit_rate},
                    {"bytes_asked", row.bytes_asked},
                    {"bytes_l2", row.bytes_l2},
                    {"bytes_dram", row.bytes_dram}});
  }
  return rows;
}

Json note_json(const facts::Prediction& p, const facts::Note& note) {
  return {{"severity", severity_name(note.severity)},
          {"text", note.text},
          {"line", note.location.line},
          {"file", note.location.line != 0 ? file_name(p, note.location) : ""},
          {"remedy", note.remedy},
          {"rests_on_data", note.rests_on_data}};
}

Json notes_json(const facts::Prediction& p) {
  Json notes = Json::array();
  for (const facts::Note& note : p.notes)
    notes.push_back(note_json(p, note));
  return notes;
}

/// Texts of what was assumed; `notes` has the same with places and remedies, and what was not assumed.
Json assumptions_json(const facts::Prediction& p) {
  Json texts = Json::array();
  for (const facts::Note& note : p.notes)
    if (note.severity == facts::Note::Severity::assumption)
      texts.push_back(note.text);
  for (const std::string& key : p.assumed_gpu_values)
    texts.push_back("GPU file: " + key + " is assumed");
  return texts;
}

Json causes_json(const facts::Prediction& p) {
  Json rows = Json::array();
  for (const facts::CauseShare& cause : p.causes)
    rows.push_back({{"cause", facts::to_string(cause.cause)}, {"share", cause.share}});
  return rows;
}

Json units_json(const facts::Prediction& p) {
  Json rows = Json::array();
  for (const facts::UnitMix& unit : p.units)
    rows.push_back({{"unit", unit.unit},
                    {"total", unit.instructions_per_warp},
                    {"shortest", unit.shortest_warp},
                    {"longest", unit.longest_warp},
                    {"bound_ms", unit.bound_ms}});
  return rows;
}

Json operations_json(const facts::Prediction& p) {
  Json counts = Json::object();
  for (int i = 0; i < facts::op_class_count; ++i)
    if (const double count = p.op_counts_per_warp[static_cast<std::size_t>(i)]; count > 0)
      counts[std::string(facts::to_string(static_cast<facts::OpClass>(i)))] = count;
  return counts;
}

Json lines_json(const facts::Prediction& p) {
  Json rows = Json::array();
  for (const facts::LineCost& cost : p.lines)
    rows.push_back(
        {{"line", cost.location.line}, {"file", file_name(p, cost.location)}, {"share", cost.share}});
  return rows;
}

Json rates_json(const facts::Prediction& p) {
  Json rates = {{"dram_bytes", p.dram_bytes},
                {"dram_read_bytes", p.dram_read_bytes},
                {"dram_written_bytes", p.dram_written_bytes},
                {"l2_bytes", p.l2_bytes},
                {"l2_read_bytes", p.l2_read_bytes},
                {"l2_written_bytes", p.l2_written_bytes},
                {"compulsory_bytes", p.compulsory_bytes},
                {"dram_gbps", p.dram_gbps},
                {"dram_peak_gbps", p.dram_peak_gbps},
                {"dram_achievable_gbps", p.dram_achievable_gbps},
                {"gflops", p.gflops},
                {"peak_gflops", p.peak_gflops}};
  if (p.tensor_gflops > 0) {
    rates["tensor_gflops"] = p.tensor_gflops;
    rates["peak_tensor_gflops"] = p.peak_tensor_gflops;
  }
  return rates;
}

Json prediction_json(const facts::Prediction& p) {
  return {{"schema_version", schema_version},
          {"kernel", p.kernel},
          {"source", p.source},
          {"gpu", p.gpu},
          {"gpu_requested", p.gpu_requested},
          {"value_set", p.value_set},
          {"model", p.model},
          {"time_ms", p.time_ms},
          {"interval_ms", p.interval_ms},
          {"cycles", p.cycles},
          {"sm_clock_mhz", p.sm_clock_mhz},
          {"sm_count", p.sm_count},
          {"launch_overhead_ms", p.launch_overhead_ms},
          {"limiter", facts::to_string(p.limiter)},
          {"causes", causes_json(p)},
          {"valid", p.valid},
          {"assumptions", assumptions_json(p)},
          {"assumed_gpu_values", p.assumed_gpu_values},
          {"launch",
           {{"groups", dims_json(p.shape.groups)},
            {"group_size", dims_json(p.shape.group_size)},
            {"global_items", dims_json(p.shape.global_items)},
            {"dynamic_shared_bytes", p.shape.dynamic_shared_bytes},
            {"local_argument_bytes", p.shape.local_argument_bytes},
            {"waves", p.waves}}},
          {"occupancy", occupancy_json(p)},
          {"registers_per_thread", p.resources.registers_per_thread},
          {"registers_source", p.resources.source},
          {"scalar_registers", p.resources.scalar_registers},
          {"spill_bytes_per_thread", p.resources.spill_bytes_per_thread},
          {"static_shared_bytes", p.resources.static_shared_bytes},
          {"instructions_per_warp", p.instructions_per_warp},
          {"ir_instructions_per_warp", p.ir_instructions_per_warp},
          {"operations_per_warp", operations_json(p)},
          {"units", units_json(p)},
          {"memory", memory_json(p)},
          {"rates", rates_json(p)},
          {"lines", lines_json(p)},
          {"notes", notes_json(p)}};
}

} // namespace

std::string write_json(const Predictions& predictions) {
  Json list = Json::array();
  for (const std::size_t i : fastest_first(predictions))
    list.push_back(prediction_json(predictions[i]));
  Json whole = predictions.size() == 1 ? list.front() : Json{{"schema_version", schema_version}};
  whole["predictions"] = std::move(list);
  return whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace forewarp::report
