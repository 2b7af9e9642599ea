// Results of suites as text, JSON and CSV.
#pragma once

#include "validate/summary.h"

#include <nlohmann/json.hpp>
#include <string>

namespace forewarp::validate {

std::string to_text(const SuiteResult& result, const SuiteSummary& summary);
nlohmann::json to_json(const SuiteResult& result, const SuiteSummary& summary);
/// Rows, processor seconds and those of each stage, a suite a line; the header once, when `header`.
std::string to_timing_text(const SuiteResult& result, bool header);
/// One line a row; the header once, when `header`.
std::string to_csv(const SuiteResult& result, bool header);

} // namespace forewarp::validate
