// Thrust's tuple, for both sides.
#pragma once
#pragma clang system_header
#include <thrust/pair.h>

namespace thrust {

template <class... Types> struct tuple {
  FW_MEMBER tuple() {}
};
template <class Head, class... Tail> struct tuple<Head, Tail...> {
  Head head;
  tuple<Tail...> tail;
  FW_MEMBER tuple() : head(), tail() {}
  FW_MEMBER tuple(const Head& a, const Tail&... rest) : head(a), tail(rest...) {}
  template <class A, class... Rest> FW_MEMBER tuple(const tuple<A, Rest...>& other) : head(other.head), tail(other.tail) {}
  template <class A, class B> FW_MEMBER tuple(const pair<A, B>& other) : head(other.first), tail(other.second) {}
  tuple(const tuple&) = default;
  FW_MEMBER tuple& operator=(const tuple& other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }
  template <class A, class... Rest> FW_MEMBER tuple& operator=(const tuple<A, Rest...>& other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }
  template <class A, class B> FW_MEMBER tuple& operator=(const pair<A, B>& other) {
    head = other.first;
    tail.head = other.second;
    return *this;
  }
};

template <__SIZE_TYPE__ index, class Tuple> struct tuple_element;
template <class Head, class... Tail> struct tuple_element<0, tuple<Head, Tail...>> {
  typedef Head type;
};
template <__SIZE_TYPE__ index, class Head, class... Tail>
struct tuple_element<index, tuple<Head, Tail...>> : tuple_element<index - 1, tuple<Tail...>> {};
template <class Tuple> struct tuple_size;
template <class... Types> struct tuple_size<tuple<Types...>> {
  static constexpr __SIZE_TYPE__ value = sizeof...(Types);
};

template <__SIZE_TYPE__ index, class Head, class... Tail> FW_MEMBER auto& get(tuple<Head, Tail...>& t) {
  if constexpr (index == 0)
    return t.head;
  else
    return get<index - 1>(t.tail);
}
template <__SIZE_TYPE__ index, class Head, class... Tail> FW_MEMBER const auto& get(const tuple<Head, Tail...>& t) {
  if constexpr (index == 0)
    return t.head;
  else
    return get<index - 1>(t.tail);
}
template <__SIZE_TYPE__ index, class A, class B> FW_MEMBER auto& get(pair<A, B>& p) {
  if constexpr (index == 0)
    return p.first;
  else
    return p.second;
}
template <__SIZE_TYPE__ index, class A, class B> FW_MEMBER const auto& get(const pair<A, B>& p) {
  if constexpr (index == 0)
    return p.first;
  else
    return p.second;
}

template <class... Types> FW_MEMBER tuple<Types...> make_tuple(Types... values) {
  return tuple<Types...>(values...);
}
template <class... Types> FW_MEMBER tuple<Types&...> tie(Types&... values) {
  return tuple<Types&...>(values...);
}
FW_MEMBER bool operator==(const tuple<>&, const tuple<>&) {
  return true;
}
template <class Head, class... Tail>
FW_MEMBER bool operator==(const tuple<Head, Tail...>& a, const tuple<Head, Tail...>& b) {
  return a.head == b.head && a.tail == b.tail;
}

} // namespace thrust
