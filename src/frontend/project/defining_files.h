// Device functions that a source calls and another file of its project defines (nvcc -rdc=true links them).
#pragma once

#include <string>
#include <vector>

namespace forewarp::frontend::project {

/// The functions of "call of 'f', which is neither defined here nor a built-in that is modelled" in an
/// error's message; each once, in their order.
std::vector<std::string> undefined_functions(const std::string& message);

/// The source files of the same folder that define one of the functions, each once, in the functions' order.
/// Files with a `main` of their own are left out, and so is the source itself.
std::vector<std::string> files_defining(const std::string& source, const std::vector<std::string>& functions);

/// Of OpenCL C, whose programs are often put together from several files by the host: the files of the
/// source's ending in its folder, then in the one above, that hold no kernel and declare one of the names by
/// `#define`, `typedef` or as a function; each once.
std::vector<std::string> files_declaring(const std::string& source, const std::vector<std::string>& names);

} // namespace forewarp::frontend::project
