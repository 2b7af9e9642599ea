// Barriers of a block and fences. On NVIDIA __syncthreads is Clang's own built-in.
#pragma once
#pragma clang system_header

#ifdef FOREWARP_AMD
FW_DEVICE void __syncthreads(void) { fw_barrier(); }
FW_DEVICE void __threadfence_block(void) { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
FW_DEVICE void __threadfence(void) { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
FW_DEVICE void __threadfence_system(void) { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
#else
FW_DEVICE void __threadfence_block(void) { __nvvm_membar_cta(); }
FW_DEVICE void __threadfence(void) { __nvvm_membar_gl(); }
FW_DEVICE void __threadfence_system(void) { __nvvm_membar_sys(); }
#endif
FW_DEVICE int __syncthreads_count(int predicate) { return fw_group_count(predicate != 0); }
FW_DEVICE int __syncthreads_and(int predicate) { return fw_group_all(predicate != 0); }
FW_DEVICE int __syncthreads_or(int predicate) { return fw_group_any(predicate != 0); }
FW_DEVICE void __syncwarp(unsigned = 0xffffffffu) { fw_warp_barrier(); }
FW_DEVICE void __nanosleep(unsigned) {}

// Programmatic dependent launch: a kernel is predicted alone, so there is nothing to wait for.
FW_DEVICE void cudaGridDependencySynchronize(void) {}
FW_DEVICE void cudaTriggerProgrammaticLaunchCompletion(void) {}
