target triple = "amdgpu9.42-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) nofree captures(none) %p, i64 %n) #0 !dbg !1 {
  %r = tail call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %p, i16 0, i64 %n, i32 7)
  %c = icmp samesign ult i32 4, 5
  %f = fptrunc contract float f0x3FB8AA3B to half
  %g = fadd half %f, +nan(0x201)
  %a = ptrtoaddr ptr addrspace(1) %p to i64
  ret void, !dbg !2
}
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) readnone, i16, i64, i32)
attributes #0 = { nocreateundeforpoison memory(argmem: read, target_mem0: none) }
!2 = !DILocation(line: 3, scope: !1, atomGroup: 2, atomRank: 1)
