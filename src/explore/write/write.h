// A sweep as text, JSON, CSV, or a file of an auto-tuner. Written row by row: nothing holds them all.
#pragma once

#include "explore/evaluator.h"
#include "explore/summary.h"

#include <string_view>

namespace forewarp::explore {

/// Takes the next piece of a report. Errors end the writing.
using Sink = std::function<Result<void>(std::string_view)>;

struct Findings {
  const Setup& setup;
  const Space& space;
  Store& store;
  const Summary& summary;
};

struct Format {
  const char* name;    ///< of `--format`
  const char* summary; ///< one line
  bool one_gpu;        ///< a file of this kind holds one GPU's times
  Result<void> (*write)(const Findings& findings, const Sink& sink);
};

/// The table of formats; to add one, add its file and a row in formats.cpp.
const std::vector<Format>& formats();
/// usage error with the nearest names.
Result<const Format*> find_format(const std::string& name);

Result<void> write_text(const Findings& findings, const Sink& sink);
Result<void> write_json(const Findings& findings, const Sink& sink);
Result<void> write_csv(const Findings& findings, const Sink& sink);
Result<void> write_kernel_tuner(const Findings& findings, const Sink& sink);
Result<void> write_t4(const Findings& findings, const Sink& sink);
Result<void> write_ktt_csv(const Findings& findings, const Sink& sink);

/// What `write_json` writes, without `configurations`.
Result<void> write_json_summary(const Findings& findings, const Sink& sink);

/// A text as JSON: a number where it is one.
std::string json_value(const std::string& text);
/// A field of a CSV line, in quotes where it needs them.
std::string csv_field(const std::string& text);

} // namespace forewarp::explore
