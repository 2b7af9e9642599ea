// Host code beside kernels: parsed, never compiled. What cannot be understood of it is passed over and said
// so.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTConsumer;
class CompilerInstance;
class FunctionDecl;
class SourceManager;
} // namespace clang

namespace forewarp::frontend {

/// What was passed over, in the order in which it was met.
struct HostCodeReport {
  std::vector<std::string> missing_headers;      ///< as the source spells them
  std::vector<std::string> skipped_functions;    ///< names of host functions with errors
  std::vector<std::string> skipped_declarations; ///< "file:line" of declarations with errors
  std::string first_error;                       ///< of both, "file:line: text"; "": there is none
  std::string first_declaration_error;           ///< likewise, of the declarations
  std::vector<std::string>
      broken_device_functions; ///< with a missing header: "name (file:line: first error)"
  std::vector<std::string> kernels_without_instance; ///< kernel templates that nothing instantiates
  /// What kernels ask of the runtime, such as starting kernels; left out: "name (file:line)".
  std::vector<std::string> left_out_of_kernels;
  bool lacks_toolkit_names = false; ///< of the vendor's headers, which own ones stand for
};

/// Which host functions are read; of the others only what they are called with.
enum class HostFunctions : std::uint8_t {
  own, ///< all but the C++ library's, which launch no kernel
  none
};

/// Errors inside host-only functions, and with a missing header or name of the toolkit those inside
/// `__device__` functions and of declarations but of kernels and device variables, become entries of `report`
/// and stop nothing. A device function with errors loses its body: a kernel that calls it calls what is not
/// defined. Statements of a kernel that start kernels or call the host's runtime are left out. `read` counts
/// where FrontendOptions::SkipFunctionBodies is set. From DriverHooks::consumer.
std::unique_ptr<clang::ASTConsumer> tolerate_host_errors(clang::CompilerInstance& compiler,
                                                         HostCodeReport& report, HostFunctions read);

/// A function of the C++ library that no kernel can call: it launches none, either.
bool is_library_host_function(const clang::FunctionDecl& function, const clang::SourceManager& sources);

/// A missing header becomes an entry of `report`; call from DriverHooks::begin_source.
void pass_over_missing_headers(clang::CompilerInstance& compiler, HostCodeReport& report);

} // namespace forewarp::frontend
