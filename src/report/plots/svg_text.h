// What every SVG of this program has alike.
#pragma once

#include <string>

namespace forewarp::report {

std::string svg_head(double width, double height);
/// `anchor`: start, middle or end.
std::string svg_label(double x, double y, const char* anchor, const std::string& text);
/// Okabe and Ito's colours, told apart by most eyes, one after the other.
const char* svg_colour(std::size_t index);

} // namespace forewarp::report
