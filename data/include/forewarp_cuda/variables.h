// threadIdx, blockIdx, blockDim, gridDim, warpSize: each member is read from its special register.
#pragma once
#pragma clang system_header

#ifdef FOREWARP_AMD
__attribute__((device, const)) unsigned long fw_local_id(unsigned) __asm__("_Z12get_local_idj");
__attribute__((device, const)) unsigned long fw_group_id(unsigned) __asm__("_Z12get_group_idj");
__attribute__((device, const)) unsigned long fw_local_size(unsigned) __asm__("_Z14get_local_sizej");
__attribute__((device, const)) unsigned long fw_num_groups(unsigned) __asm__("_Z14get_num_groupsj");
#define FW_READ(call, dimension, sreg) static_cast<unsigned>(call(dimension))
#else
#define FW_READ(call, dimension, sreg) sreg
#endif

#define FW_MEMBER_VARIABLE(member, value)                                                                    \
  __declspec(property(get = fw_get_##member)) unsigned member;                                               \
  FW_DEVICE unsigned fw_get_##member(void) { return value; }

#define FW_VARIABLE(name, call, sreg)                                                                        \
  struct fw_##name##_t {                                                                                     \
    FW_MEMBER_VARIABLE(x, FW_READ(call, 0, sreg##_x()))                                                      \
    FW_MEMBER_VARIABLE(y, FW_READ(call, 1, sreg##_y()))                                                      \
    FW_MEMBER_VARIABLE(z, FW_READ(call, 2, sreg##_z()))                                                      \
    __inline__ __attribute__((device, always_inline, nodebug)) operator dim3() const {                       \
      return dim3(fw_get_x(), fw_get_y(), fw_get_z());                                                       \
    }                                                                                                        \
    __inline__ __attribute__((device, always_inline, nodebug)) operator uint3() const {                      \
      return uint3{fw_get_x(), fw_get_y(), fw_get_z()};                                                      \
    }                                                                                                        \
  };                                                                                                         \
  extern const __attribute__((device, weak)) fw_##name##_t name;

FW_VARIABLE(threadIdx, fw_local_id, __nvvm_read_ptx_sreg_tid)
FW_VARIABLE(blockIdx, fw_group_id, __nvvm_read_ptx_sreg_ctaid)
FW_VARIABLE(blockDim, fw_local_size, __nvvm_read_ptx_sreg_ntid)
FW_VARIABLE(gridDim, fw_num_groups, __nvvm_read_ptx_sreg_nctaid)

#undef FW_VARIABLE
#undef FW_MEMBER_VARIABLE
#undef FW_READ

#ifdef FOREWARP_AMD
__attribute__((device)) const int warpSize = __AMDGCN_WAVEFRONT_SIZE;
#else
__attribute__((device)) const int warpSize = 32;
#endif
