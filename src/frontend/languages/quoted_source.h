// OpenCL C that stands in a file as text of the program that hands it over.
#pragma once

#include <string>

namespace forewarp::frontend {

/// The source without what makes a string of it: raw string literals that hold the whole file (R"(...)", one
/// behind the other), or one macro around all of it (MSTRINGIFY(...), in which lines may begin with a written
/// \n). Lines and columns stay. Empty where the file is no such text. The text is C++11's (lex.string).
std::string without_quotes(const std::string& text);

} // namespace forewarp::frontend
