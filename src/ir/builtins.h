// The closed list of calls that a kernel's IR may hold besides LLVM's own intrinsics ("markers"), and the
// target intrinsics that stand for work-item functions. Interpreter and machine step have to know these.
//
// Markers are declarations without a body, named `forewarp.<group>.<name>[.<type>]`; <type> is i8 i16 i32 i64
// f16 f32 f64 of the value. They stand for what LLVM has no intrinsic for; a back end needs them expanded.
//
// Work-item functions (all i32, with range facts):
//   nvidia  llvm.nvvm.read.ptx.sreg.{tid,ntid,ctaid,nctaid}.{x,y,z}
//   amd     llvm.amdgcn.workitem.id.{x,y,z} (tid), llvm.amdgcn.workgroup.id.{x,y,z} (ctaid),
//           forewarp.item.local_size.{x,y,z} (ntid: size of the own group),
//           forewarp.item.num_groups.{x,y,z} (nctaid)
//   both    forewarp.item.global_size.{x,y,z}    work-items of the grid
//           forewarp.item.enqueued_size.{x,y,z}  group size of the launch, also in a partial last group
//           forewarp.item.work_dim               1..3
//           forewarp.item.dynamic_shared_size    bytes that the launch asks for (PTX: %dynamic_smem_size)
//           forewarp.item.lane, forewarp.item.warp (linear local id / warp width), forewarp.item.warp_count
//   The global offset is zero (a launch has none).
//
// Barrier: llvm.nvvm.barrier0 | llvm.amdgcn.s.barrier (between two `fence`).
// Barrier of all groups of the launch: void forewarp.grid.barrier(), also one of the group.
// Fences: llvm.nvvm.membar.{cta,gl,sys} | `fence`.
// Warp barrier: llvm.nvvm.bar.warp.sync | forewarp.warp.barrier.
//
// Math without an LLVM intrinsic: T forewarp.math.<name>.<type>(T...), pure; <name> and meaning are OpenCL's:
//   acosh acospi asinh asinpi atan2 atan2pi atanh atanpi cbrt cospi erf erfc expm1 hypot ilogb lgamma log1p
//   logb nextafter remainder rootn sinpi tanpi tgamma. ilogb returns i32, rootn takes (T, i32).
// Fast hardware forms: nvidia llvm.nvvm.{sin,cos,ex2,lg2,rsqrt,sqrt}.approx.f, llvm.nvvm.rcp.approx.ftz.f,
//   llvm.nvvm.div.approx.f, llvm.nvvm.rsqrt.approx.d; amd: the plain intrinsic or fdiv with the `afn` flag.
//
// Dot product of the bytes of two words, added to a third: i32 forewarp.dot4.{s,u}(i32, i32, i32), pure;
// nvidia.
//
// Two 8-bit floats (<f>: e4m3 or e5m2) in the lower half of a word, pure, nvidia: i32
// forewarp.fp8.pack.<f>(float upper, float lower), i32 forewarp.fp8.narrow.<f>(i32 two halves), i32 (two
// halves) forewarp.fp8.widen.<f>(i32).
//
// Other floats of 8, 6 and 4 bits, and what is rounded by random bits: i32 forewarp.cvt.<words of PTX's cvt>
//   (sources: floats the uppermost first, packed ones in a word {, i32 random bits | scales}), pure, nvidia.
//
// A value that nobody knows: T forewarp.unknown.T(...), pure, a move.
//
// Warp exchange (sub-groups): T forewarp.warp.<name>.<type>(T, ...), convergent:
//   shuffle(v, lane) shuffle_xor(v, mask) shuffle_up(v, delta) shuffle_down(v, delta) broadcast(v, lane)
//   reduce_<op>(v) scan_inclusive_<op>(v) scan_exclusive_<op>(v); <op>: add min max umin umax mul and or xor
//   without a type: any(i32)->i32 all(i32)->i32 ballot(i1)->i64
//
// Images (read and write are memory sites of space texture):
//   <4 x T> forewarp.image.read.<dim>.<type>.<coord>[.p][.s](ptr image, sampler, coord, float lod)
//     <coord>: the coordinate's scalar type, i32 or f32; `.p`: the sampler is a pointer, else i32 -1 (none);
//     `.s`: the coordinate is a scalar, no vector
//   void forewarp.image.write.<dim>.<type>(ptr image, coord, <4 x T> colour)
//   i32 forewarp.image.<query>(ptr image): width height depth array_size channel_type channel_order
//   <dim>: 1d 2d 3d 1da 2da 1db (a: array, b: buffer)
//
// Asynchronous copies (cp.async): a volatile load and a volatile store of its value, both with metadata
//   `forewarp.async`: what is copied passes no register. Zeros in their place: a store,
//   `forewarp.async.fill`. llvm.nvvm.cp.async.{commit.group,wait.group,wait.all}.
// Atomics of f16 and bf16, one (i16) or two in a word (i32): T
// forewarp.atomic.{add,min,max}.{f16,bf16}.T(ptr, T) Barriers in memory (mbarrier; ptr: to shared memory) and
// named barriers, each a memory site whose event names the meeting (facts/trace.h):
//   void forewarp.meeting.begin(ptr, i32 arrivals)      i64 ....arrive(ptr, i32), ....drop(ptr, i32): the
//   phase void forewarp.meeting.expect(ptr, i32 bytes)        void ....bytes_come(ptr, i32 bytes) void
//   ....arrive_copied(ptr, i32), ....copied(ptr, i32): when the lanes' cp.async have come; counted or not i1
//   forewarp.meeting.wait_parity(ptr, i32), i1 ....wait_phase(ptr, i64): true, once it is over void
//   forewarp.meeting.gather(i32 name, i32 items), void ....leave(i32 name, i32 0)
//   void ....cluster_arrive(i64 0, i32 0), ....cluster_leave(i64 0, i32 0): of all groups of the cluster
// Clusters: i64 forewarp.cluster.map(i64 address, i32 rank): the same place of another group's shared memory,
//   i32 forewarp.cluster.rank_of(i64 address)
// Bulk copies, in a loop that the machine does not run: a block of a read, a write, an arrival (where a
// barrier waits for the bytes), and the branch back while `more`. Memory sites: the side in global memory,
// the arrival.
//   void forewarp.engine.bytes.{in,out}.{read,write}(ptr shared, ptr global, i32 bytes)
//   void forewarp.engine.bytes.across.{read,write}(ptr shared, ptr shared of another group, i32 bytes)
//   void forewarp.engine.tile.{in,out}.{read,write}(ptr shared, ptr map, i32 coordinates..., innermost first)
//   void forewarp.engine.arrive(ptr barrier)            i1 forewarp.engine.more()
//   void forewarp.engine.spread(i32 groups): what follows goes to these groups of the cluster, a bit each
//   void forewarp.engine.commit(), void forewarp.engine.wait.<groups>()
// Tensor memory (tcgen05): i32 forewarp.tensor_memory.alloc(i32 columns), void ....free(i32 address),
//   void ....mma.<shape of a group>.b<bits>{.pair}{.inside}(i32 sums, i64 a, i64 b, i32 instruction
//   descriptor, i1 adds), of `inside` a is an i32 address; {i32...} ....ld.x<n>.<spread>(i32 address {, i32
//   apart}), void
//   ....st.x<n>.<spread>(i32 address {, i32 apart}, i32...); <spread>: 32x32b and so on. Values unknown: mma
//   with .other (of the sums alone), <spread> `other` and `other_twice`, void ....forget(i32 address). void
//   forewarp.meeting.arrive_multiplied(ptr, i32), ....arrive_multiplied_in(ptr, i32, i32 groups of the
//   cluster)
// Matrices of 8 rows of 16 bytes: what lanes hold of them, and rows that lanes loaded or will store. No
// operations of the machine but the last.
//   {i32...} forewarp.matrix.take.x<n>{.trans}(<4 x i32> row), <4 x i32> ....give.x<n>{.trans}(i32...)
//   i32 forewarp.matrix.transpose(i32)
// Products of a warp that LLVM has no intrinsic for: {T...}
// forewarp.mma.<shape>.row.col.<a>.<b>.<sum>{.satfinite}
//   {.sparse.<lane>}{.scaled.<scales of a row>.<type>.<byte of a>.<lane>.<byte of b>.<lane>}.<type>x<n>(a...,
//   b..., sums..., {i32 metadata,} {i32 scales of a, i32 of b}); types as PTX names them, fp4: e2m1 two in a
//   byte
// Matrix products: llvm.nvvm.{mma,wmma}.*, llvm.amdgcn.{mfma,wmma}.*; of a warp group, <type>x<n> being what
// a lane holds of the sums: {T...} forewarp.wgmma.<shape>.<a>.{registers,memory}<factors>.<b>.<sum>{.at}{.bt}
//   {.an}{.bn}{.by_flag | .anew}{.satfinite}{.and}.<type>x<n>({i1 flag,} factors..., sums...); <a>, <b>,
//   <sum>: types of elements; at, bt: neighbours in memory are those of another k; an, bn: negated; by_flag:
//   added to the sums where the flag is set; anew: to nothing. Machine code names <shape>.<a>.{...}<factors>
//   alone: values unknown. {T...} forewarp.wgmma.wait.<groups>.<type>x<n>(sums...)    ready behind it
#pragma once

#include <string_view>

namespace forewarp::ir::builtins {

inline constexpr std::string_view prefix = "forewarp.";
inline constexpr std::string_view math_prefix = "forewarp.math.";
inline constexpr std::string_view async_copy = "forewarp.async";      ///< metadata
inline constexpr std::string_view async_fill = "forewarp.async.fill"; ///< metadata
inline constexpr std::string_view meeting_prefix = "forewarp.meeting.";
inline constexpr std::string_view engine_prefix = "forewarp.engine.";
inline constexpr std::string_view matrix_prefix = "forewarp.matrix.";
inline constexpr std::string_view warp_prefix = "forewarp.warp.";

} // namespace forewarp::ir::builtins
