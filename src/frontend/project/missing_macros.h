// Macros that a source uses and nothing defines: what its neighbours give them.
#pragma once

#include <string>
#include <vector>

namespace forewarp::frontend::project {

struct FoundMacro {
  std::string name, value;
  std::string place; ///< "file:line"
};

/// The names in a compiler's errors of what is not declared: "use of undeclared identifier 'N'", "unknown
/// type name 'real'"; each once, in their order.
std::vector<std::string> undeclared_names(const std::string& diagnostics);

/// Directives whose names are looked for.
enum class Directives { conditions, conditions_and_macros };

/// The names that the source's `#if` and `#elif` lines test, or its macros' bodies hold, and that it does not
/// define itself.
std::vector<std::string> names_in_conditions(const std::string& source,
                                             Directives directives = Directives::conditions);

/// Which value of a tuner's parameter is taken.
enum class TunedValue { first, last };

/// Looks for values of the names in the build file, then in the files of the source's folder, those below it
/// (inc, include, src) and those of the folder above: `#define N 16`, `const int N = 16;`, options for a
/// run-time compiler ("-DN=16", "-D N=16", or made of a variable that has a number), and parameters of a
/// tuner
/// ("N", {1, 2, 4}). A name of which nothing is said is left out.
std::vector<FoundMacro> find_macros(const std::string& source, const std::vector<std::string>& names,
                                    TunedValue tuned = TunedValue::first);

} // namespace forewarp::frontend::project
