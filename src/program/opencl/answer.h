// How OpenCL's queries hand out a value: size checks as the standard has them.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace forewarp::program {

inline cl_int give_bytes(const void* data, std::size_t length, std::size_t size, void* value,
                         std::size_t* size_out) {
  if (value && size < length)
    return CL_INVALID_VALUE;
  if (value)
    std::memcpy(value, data, length);
  if (size_out)
    *size_out = length;
  return CL_SUCCESS;
}

template <class T> cl_int give(const T& data, std::size_t size, void* value, std::size_t* size_out) {
  return give_bytes(&data, sizeof(T), size, value, size_out);
}

inline cl_int give(const std::string& text, std::size_t size, void* value, std::size_t* size_out) {
  return give_bytes(text.c_str(), text.size() + 1, size, value, size_out);
}

} // namespace forewarp::program
