// GPU files as text: list, one file with its sources, difference of two.
#pragma once

#include "gpu/gpu_file.h"

#include <string>
#include <vector>

namespace forewarp::report {

/// Name, vendor, target, short names; in the catalogue's order.
std::string gpu_list_text(const std::vector<gpu::GpuFile>& files);
/// Every value with unit, source and reference.
std::string gpu_file_text(const gpu::GpuFile& file);
/// Values that differ, and those that one of the two lacks.
std::string gpu_diff_text(const gpu::GpuFile& one, const gpu::GpuFile& other);

std::string value_text(const gpu::Value& value);
const char* source_name(gpu::ValueSource source);

} // namespace forewarp::report
