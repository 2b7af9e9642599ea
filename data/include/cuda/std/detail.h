// libcu++'s namespace: what the C++ library has.
#pragma once
#pragma clang system_header

namespace cuda {
namespace std {
using namespace ::std;
} // namespace std
} // namespace cuda
