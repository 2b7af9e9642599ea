// Names of the header of that name in NVIDIA's samples.
#pragma once
#pragma clang system_header
#include <exception>
#include <stdexcept>
#include <string>

template <class E> class Exception : public E {
public:
  static void throw_it(const char* file, int line, const char* detail = "-");
  static void throw_it(const char* file, int line, const std::string& detail);
};
#define RUNTIME_EXCEPTION(text) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, text)
#define LOGIC_EXCEPTION(text) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, text)
