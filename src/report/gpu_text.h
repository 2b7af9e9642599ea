// The catalogue as text: tables over the rows of gpu/describe.h.
#pragma once

#include "gpu/describe.h"

#include <string>
#include <vector>

namespace forewarp::report {

std::string gpu_list_text(const std::vector<gpu::GpuSummary>& gpus);
/// Headline and every value with unit, source and reference; `note` is the choice's, may be empty.
std::string gpu_file_text(const gpu::GpuFile& file, const std::string& note);
std::string gpu_diff_text(const std::string& left, const std::string& right,
                          const std::vector<gpu::DiffRow>& rows);
/// "FILE: good: ..." with warnings and assumed keys below.
std::string gpu_check_text(const std::string& path, const gpu::CheckReport& check);

} // namespace forewarp::report
