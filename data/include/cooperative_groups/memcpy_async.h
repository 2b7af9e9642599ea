// A group's threads copy together, 16, 8 or 4 bytes at a time by the type's alignment; wait: until all of it is there.
#pragma once
#pragma clang system_header
#include "cooperative_groups.h"
#include "forewarp_cuda/async_copy.h"

namespace cooperative_groups {

/// The copies alone, without the end of their group.
template <class Group, class To, class From>
__device__ inline void fw_copy_pieces(const Group& group, To* to, const From* from, __SIZE_TYPE__ bytes) {
  constexpr unsigned least = alignof(To) < alignof(From) ? alignof(To) : alignof(From);
  constexpr unsigned piece = least > 16 ? 16 : least < 4 ? 4 : least;
  for (__SIZE_TYPE__ at = piece * static_cast<__SIZE_TYPE__>(group.thread_rank()); at < bytes;
       at += piece * static_cast<__SIZE_TYPE__>(group.size()))
    fw_copy_async(reinterpret_cast<char*>(to) + at, reinterpret_cast<const char*>(from) + at, piece);
}

template <unsigned Piece, class Group>
__device__ inline void fw_copy_together(const Group& group, void* to, const void* from, __SIZE_TYPE__ bytes) {
  for (__SIZE_TYPE__ at = Piece * static_cast<__SIZE_TYPE__>(group.thread_rank()); at < bytes;
       at += Piece * static_cast<__SIZE_TYPE__>(group.size()))
    fw_copy_async(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, Piece);
  fw_copies_end_group();
}

template <class Group, class To, class From>
__device__ inline void memcpy_async(const Group& group, To* to, const From* from, __SIZE_TYPE__ bytes) {
  constexpr unsigned piece = alignof(To) < alignof(From) ? alignof(To) : alignof(From);
  fw_copy_together<(piece > 16 ? 16 : piece < 4 ? 4 : piece)>(group, to, from, bytes);
}

template <class Group> __device__ inline void wait(const Group& group) {
  fw_copies_wait<0>();
  group.sync();
}
template <unsigned Stages, class Group> __device__ inline void wait_prior(const Group& group) {
  fw_copies_wait<Stages>();
  group.sync();
}

} // namespace cooperative_groups
