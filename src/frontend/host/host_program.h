// The host half of a program, read for its launches: which kernel is started where, with which sizes,
// arguments and allocations. The program is followed statement by statement on the numbers that it holds
// itself; what it would learn from outside (its arguments, files, libraries) is an open number with a name
// and a place.
#pragma once

#include "facts/launch.h"
#include "frontend/compile.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::frontend::host {

struct HostProgram;

struct HostRequest {
  CompileRequest compile; ///< the host file: CUDA or HIP, or C and C++ with the OpenCL API
  /// The program's arguments behind its name; empty: none are known, and what is made of them is open.
  std::optional<std::vector<std::string>> program_arguments;
  std::map<std::string, double>
      variables;                ///< variables of the host code that have this value wherever they are set
  std::uint64_t assumed = 1024; ///< value of every open whole number
  /// Followed again with these in turn, as long as what was found asks for it: the file is parsed once.
  std::vector<std::uint64_t> smaller_assumed = {};
  std::function<bool(const HostProgram&)> wants_smaller = {};
  /// A CUDA source with a cache folder: of the same parse this is compiled and kept there, for whoever asks
  /// for it next. It saves time and changes nothing. `compile` with another only_kernel; none: nothing.
  std::function<std::optional<CompileRequest>(const HostProgram&)> wants_module = {};
};

/// Bits: 1 << number of an OpenNumber; the last bit stands for all further ones.
using RestsOn = std::uint64_t;
inline constexpr unsigned most_open_numbers = 63;

/// A number that the program takes from outside.
struct OpenNumber {
  std::string name;   ///< of the variable that first held it
  std::string origin; ///< "argv[1]", "fscanf", "the result of 'read_size'"
  std::string file;
  std::uint32_t line = 0;
  double value = 0; ///< that was assumed
  bool is_whole = true;
};

/// A buffer behind a pointer that lies in a struct or in another buffer.
struct InnerBuffer {
  std::uint64_t offset = 0; ///< of the pointer, in bytes
  std::uint64_t bytes = 0;  ///< behind it
  bool zeros = false;
  std::uint32_t line = 0; ///< of the allocation
};

/// What a launch hands to a parameter.
struct HostArgument {
  enum class Kind : std::uint8_t {
    open,         ///< nothing is known
    number,       ///< `text`
    buffer,       ///< `bytes` behind the pointer
    record,       ///< `contents`
    local_memory, ///< `bytes` of work-group memory (OpenCL)
    image,        ///< image, texture or surface: `text` as launch files have it, "image:64x64:r32f:linear"
    sampler       ///< of OpenCL: `text` likewise
  } kind = Kind::open;
  std::string text;
  std::uint64_t bytes = 0;
  bool zeros = false;                 ///< the buffer was set to zero, and no copy went there since
  std::vector<std::uint8_t> contents; ///< of a struct, in the host's layout
  std::vector<std::uint8_t> known;    ///< of a struct: 0xFF for each byte of it that is known
  std::vector<InnerBuffer> inner;     ///< device pointers in the struct, or in the buffer
  std::string name;                   ///< of the host's variable
  std::uint32_t line = 0;             ///< of the allocation
  RestsOn rests_on = 0;
};

/// One set of sizes with which a place starts a kernel.
struct FoundLaunch {
  std::string kernel; ///< name as written: "scale<float>"
  std::string symbol; ///< of the instance; "" where only the name is known
  std::string file;
  std::uint32_t line = 0, column = 0;
  facts::Dim3 groups;     ///< or work-items, where `in_items`
  facts::Dim3 group_size; ///< of count 0: left to the driver (OpenCL)
  bool in_items = false;
  std::uint64_t dynamic_shared_bytes = 0;
  std::string groups_text, group_size_text; ///< as the source says it
  std::vector<ir::Parameter> parameters;    ///< of the kernel; empty where its declaration is not in the file
  std::vector<HostArgument> arguments;
  /// Contents of variables of the device, and images of texture references, by name.
  std::map<std::string, HostArgument> symbols;
  RestsOn rests_on = 0;       ///< sizes
  RestsOn loop_rests_on = 0;  ///< lengths of the loops around it
  std::uint64_t repeated = 1; ///< how often the program starts it so, as far as it was followed
  bool in_isolation = false;  ///< the program's start does not lead here: the function was read on its own
};

struct HostProgram {
  std::vector<FoundLaunch> launches; ///< in the order in which the program starts them
  std::vector<OpenNumber> open;
};

/// Reads the program. Bounded: a fixed number of steps, loops that start no kernel are left after 4096
/// rounds. Not followed: threads, exceptions, virtual calls, containers other than std::vector, and data that
/// only the machine has. Errors: those of opening and parsing the file.
Result<HostProgram> read_host_program(const HostRequest& request);

} // namespace forewarp::frontend::host
