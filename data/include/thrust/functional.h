// Thrust's function objects, for both sides.
#pragma once
#pragma clang system_header

namespace thrust {

#define FW_FUNCTION_OBJECT(name, Result, expression)                                                         \
  template <class T = void> struct name {                                                                    \
    typedef T first_argument_type;                                                                           \
    typedef T second_argument_type;                                                                          \
    typedef Result result_type;                                                                              \
    FW_MEMBER Result operator()(const T& a, const T& b) const { return expression; }                         \
  };                                                                                                         \
  template <> struct name<void> {                                                                            \
    template <class T, class U> FW_MEMBER auto operator()(const T& a, const U& b) const { return expression; } \
  };
FW_FUNCTION_OBJECT(plus, T, a + b)
FW_FUNCTION_OBJECT(minus, T, a - b)
FW_FUNCTION_OBJECT(multiplies, T, a* b)
FW_FUNCTION_OBJECT(divides, T, a / b)
FW_FUNCTION_OBJECT(modulus, T, a % b)
FW_FUNCTION_OBJECT(maximum, T, a < b ? b : a)
FW_FUNCTION_OBJECT(minimum, T, b < a ? b : a)
FW_FUNCTION_OBJECT(bit_and, T, a& b)
FW_FUNCTION_OBJECT(bit_or, T, a | b)
FW_FUNCTION_OBJECT(bit_xor, T, a ^ b)
FW_FUNCTION_OBJECT(equal_to, bool, a == b)
FW_FUNCTION_OBJECT(not_equal_to, bool, a != b)
FW_FUNCTION_OBJECT(less, bool, a < b)
FW_FUNCTION_OBJECT(less_equal, bool, a <= b)
FW_FUNCTION_OBJECT(greater, bool, a > b)
FW_FUNCTION_OBJECT(greater_equal, bool, a >= b)
#undef FW_FUNCTION_OBJECT

template <class Argument, class Result> struct unary_function {
  typedef Argument argument_type;
  typedef Result result_type;
};
template <class First, class Second, class Result> struct binary_function {
  typedef First first_argument_type;
  typedef Second second_argument_type;
  typedef Result result_type;
};
template <class T> struct identity {
  FW_MEMBER const T& operator()(const T& a) const { return a; }
};

} // namespace thrust
