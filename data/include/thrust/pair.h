// Thrust's pair, for both sides. The containers and algorithms are host code, and passed over.
#pragma once
#pragma clang system_header

namespace thrust {

template <class First, class Second> struct pair {
  typedef First first_type;
  typedef Second second_type;
  First first;
  Second second;
  FW_MEMBER pair() : first(), second() {}
  FW_MEMBER pair(const First& a, const Second& b) : first(a), second(b) {}
  template <class A, class B> FW_MEMBER pair(const pair<A, B>& other) : first(other.first), second(other.second) {}
};

template <class A, class B> FW_MEMBER pair<A, B> make_pair(A a, B b) {
  return {a, b};
}
template <class A, class B> FW_MEMBER bool operator==(const pair<A, B>& a, const pair<A, B>& b) {
  return a.first == b.first && a.second == b.second;
}
template <class A, class B> FW_MEMBER bool operator!=(const pair<A, B>& a, const pair<A, B>& b) {
  return !(a == b);
}
template <class A, class B> FW_MEMBER bool operator<(const pair<A, B>& a, const pair<A, B>& b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}

} // namespace thrust
