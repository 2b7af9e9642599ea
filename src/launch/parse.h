// Launch from the command line's words or from a TOML file.
#pragma once

#include "facts/launch.h"
#include "support/result.h"

#include <map>
#include <string>

namespace forewarp::launch {

/// "X", "X,Y", "X,Y,Z" or "XxYxZ"; every size positive. `option` names the option in errors.
Result<facts::Dim3> parse_dim3(const std::string& text, const std::string& option);

/// "NAME=VALUE" or "NAME=buffer:TYPE[COUNT][:zeros|iota|random(SEED)|@file.npy|@file.bin]" -> (name, value).
/// VALUE: a number, a vector "1,2,3,4", or a struct: "@file.bin", or "{}" for zero bytes. COUNT "auto" gives
/// a buffer of count 0: as large as the launch touches (engine/open_arguments).
Result<std::pair<std::string, facts::ArgumentValue>> parse_argument(const std::string& text,
                                                                    const std::string& base_directory = ".");

/// A launch file (docs/reference/launch_file.md). Relative paths are relative to the file.
struct LaunchFile {
  facts::Launch launch;
  std::string source, kernel;                                     ///< optional
  std::string standard;                                           ///< optional: -std / -cl-std
  std::vector<std::string> defines, include_directories, options; ///< optional
  bool outside_reads_zero = false;                                ///< out_of_bounds = "read-zero"
};
/// `path`: FILE, or FILE:VARIANT for one of the file's [variants].
/// `values` stand in place of the file's own [values] of the same names.
Result<LaunchFile> read_launch_file(const std::string& path,
                                    const std::map<std::string, double>& values = {});

/// [values] of a launch file, those of the variant in their place; none is no error.
Result<std::map<std::string, double>> launch_file_values(const std::string& path);

/// Names of a launch file's [variants], in alphabetical order; none is no error.
Result<std::vector<std::string>> variant_names(const std::string& path);

/// `text` is the file's contents; `where` names it in errors; files of buffers are looked up below
/// `base_directory`.
Result<LaunchFile> parse_launch_file(const std::string& text, const std::string& where,
                                     const std::string& base_directory);

/// Byte contents of element range [first, first+count) of a buffer with generated contents (zeros, iota,
/// random). random: floats in [0,1), integers of the full width of 16 bits at most (0..65535), both from
/// counter_random(seed, index).
void generate_elements(const facts::BufferValue& buffer, std::uint64_t first, std::uint64_t count,
                       std::uint8_t* out);

} // namespace forewarp::launch
