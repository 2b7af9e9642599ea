// Thrust's execution policies in a program that `forewarp run` builds: where an algorithm runs, and on nothing else.
#pragma once
#pragma clang system_header
#include <forewarp_run/thrust_iterators.h>

namespace thrust {

struct execution_policy_tag {};
struct fw_host_policy : execution_policy_tag {
  static constexpr bool on_device = false;
  template <class... A> FW_CORE const fw_host_policy& operator()(A&&...) const { return *this; }
};
struct fw_device_policy : execution_policy_tag {
  static constexpr bool on_device = true;
  template <class... A> FW_CORE const fw_device_policy& operator()(A&&...) const { return *this; }
  template <class... A> FW_CORE const fw_device_policy& on(A&&...) const { return *this; }
};
template <class Derived> struct execution_policy : fw_device_policy {};
template <class Derived> struct device_execution_policy : fw_device_policy {};
template <class Derived> struct host_execution_policy : fw_host_policy {};
typedef fw_host_policy host_system_tag, host_tag;
typedef fw_device_policy device_system_tag, device_tag;
static const fw_host_policy host{}, seq{};
static const fw_device_policy device{};
namespace cuda {
static const fw_device_policy par{}, par_nosync{};
template <class D> struct execution_policy : fw_device_policy {};
} // namespace cuda
namespace hip {
static const fw_device_policy par{}, par_nosync{};
} // namespace hip
namespace system { namespace cuda { static const fw_device_policy par{}; } }
namespace omp { static const fw_host_policy par{}; }

template <class P> struct fw_is_policy : std::is_base_of<execution_policy_tag, std::decay_t<P>> {};
template <class P> using fw_if_policy = std::enable_if_t<fw_is_policy<P>::value, int>;
template <class P> using fw_if_range = std::enable_if_t<!fw_is_policy<P>::value, int>;

// An algorithm `name` of `family`, with a policy or without one: then it runs where one of its ranges lies.
#define FW_ALGORITHM(family, name)                                                                                     \
  template <class P, class... A, fw_if_policy<P> = 0> FW_HOST auto name(P&&, A&&... a) {                               \
    return family<std::decay_t<P>::on_device>::name(std::decay_t<A>(a)...);                                            \
  }                                                                                                                    \
  template <class I, class... A, fw_if_range<I> = 0> FW_HOST auto name(I&& first, A&&... a) {                          \
    constexpr bool on_device = fw_on_device<std::decay_t<I>>::value || (fw_on_device<std::decay_t<A>>::value || ...);  \
    return family<on_device>::name(std::decay_t<I>(first), std::decay_t<A>(a)...);                                     \
  }

} // namespace thrust
