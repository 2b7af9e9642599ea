// A PTX file as its text says it: directives, variables, functions with their bodies as items in order.
// Inline assembly is read as a body.
#pragma once

#include "frontend/ptx/statement.h"
#include "support/result.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::frontend::ptx {

/// A register, variable or parameter.
struct Declaration {
  std::string
      space; ///< "reg", "param", "shared", "const", "global", "local", "texref", "surfref", "samplerref"
  std::string name; ///< of "%r<65>": "%r"
  unsigned line = 0;
  TypeWord type;              ///< kind 0: of a texture, surface or sampler
  std::string opaque;         ///< "texref", ...
  unsigned align = 0;         ///< bytes; 0: that of the type
  unsigned count = 0;         ///< of "%r<65>": 65
  std::uint64_t elements = 1; ///< of all dimensions and ".v4"; 0: an array whose size the launch gives ("[]")
  bool is_array = false;
  bool is_extern = false;
  bool is_pointer = false;         ///< ".ptr"
  std::string pointee_space;       ///< of ".ptr .global"
  std::vector<std::string> values; ///< initial ones, in order, nested braces flattened
  std::uint64_t bytes() const { return elements * ((type.size() + 7) / 8); }
};

/// ".loc 1 7 3, function_name ..., inlined_at 1 20 5".
struct SourcePlace {
  unsigned file = 0, line = 0, column = 0;
  bool inlined = false;
  unsigned at_file = 0, at_line = 0, at_column = 0;
};

struct Item {
  enum class Kind : std::uint8_t {
    statement,
    label,
    open,
    close,
    declarations,
    place,
    no_unroll,
    targets,
    other
  };
  Kind kind = Kind::other;
  unsigned line = 0;
  Statement statement = {};
  std::string name = {};                 ///< of a label, also of targets
  std::vector<std::string> targets = {}; ///< of ".branchtargets"
  std::vector<Declaration> declarations = {};
  SourcePlace place = {};
};

struct Function {
  std::string name;
  unsigned line = 0;
  bool is_kernel = false, has_body = false;
  std::vector<Declaration> parameters, results;
  std::optional<std::array<unsigned, 3>> required_threads; ///< .reqntid
  std::optional<std::array<unsigned, 3>> most_threads;     ///< .maxntid
  std::optional<std::array<unsigned, 3>> cluster;          ///< .reqnctapercluster
  unsigned groups_per_sm = 0;                              ///< .minnctapersm
  std::vector<Item> body;
};

struct File {
  unsigned major = 0, minor = 0; ///< of the PTX ISA
  std::string target;            ///< "sm_90a"
  unsigned target_line = 0;
  std::map<unsigned, std::string> sources;
  std::vector<Declaration> variables;
  std::vector<Function> functions;
};

/// Errors: bad_input (cut off, unknown directives, no PTX at all), unsupported (an ISA or address size that
/// is not read); with "path:line".
Result<File> read_file_text(std::string_view text, const std::string& path);

/// The items of a body without its outer braces; a last statement may lack its semicolon. Errors: bad_input,
/// where "line N".
Result<std::vector<Item>> read_body(std::string_view text);

} // namespace forewarp::frontend::ptx
