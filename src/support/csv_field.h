// A text as one field of a CSV table.
#pragma once

#include <string>

namespace forewarp {

/// In quotes where the text holds a comma, a quote or an end of line (RFC 4180).
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

} // namespace forewarp
