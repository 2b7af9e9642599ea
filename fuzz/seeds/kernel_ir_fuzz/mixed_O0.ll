target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@mixed.t = internal addrspace(3) global [64 x float] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind optnone
define dso_local spir_kernel void @mixed(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2) #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
  %4 = alloca ptr addrspace(1), align 8
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca float, align 4
  %10 = alloca i32, align 4
  store ptr addrspace(1) %0, ptr %4, align 8
  store ptr addrspace(1) %1, ptr %5, align 8
  store i32 %2, ptr %6, align 4
  %11 = call i64 @_Z13get_global_idj(i32 noundef 0) #4
  %12 = trunc i64 %11 to i32
  store i32 %12, ptr %7, align 4
  %13 = call i64 @_Z12get_local_idj(i32 noundef 0) #4
  %14 = trunc i64 %13 to i32
  store i32 %14, ptr %8, align 4
  %15 = load ptr addrspace(1), ptr %4, align 8
  %16 = load i32, ptr %7, align 4
  %17 = srem i32 %16, 256
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %18
  %20 = load float, ptr addrspace(1) %19, align 4
  %21 = load i32, ptr %8, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [64 x float], ptr addrspace(3) @mixed.t, i64 0, i64 %22
  store float %20, ptr addrspace(3) %23, align 4
  call void @_Z7barrierj(i32 noundef 1) #5
  store float 0.000000e+00, ptr %9, align 4
  store i32 0, ptr %10, align 4
  br label %24

24:                                               ; preds = %43, %3
  %25 = load i32, ptr %10, align 4
  %26 = load i32, ptr %6, align 4
  %27 = icmp slt i32 %25, %26
  br i1 %27, label %28, label %46

28:                                               ; preds = %24
  %29 = load i32, ptr %8, align 4
  %30 = load i32, ptr %10, align 4
  %31 = add nsw i32 %29, %30
  %32 = srem i32 %31, 64
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [64 x float], ptr addrspace(3) @mixed.t, i64 0, i64 %33
  %35 = load float, ptr addrspace(3) %34, align 4
  %36 = load i32, ptr %10, align 4
  %37 = and i32 %36, 1
  %38 = icmp ne i32 %37, 0
  %39 = zext i1 %38 to i64
  %40 = select i1 %38, float 2.000000e+00, float 5.000000e-01
  %41 = load float, ptr %9, align 4
  %42 = call float @llvm.fmuladd.f32(float %35, float %40, float %41)
  store float %42, ptr %9, align 4
  br label %43

43:                                               ; preds = %28
  %44 = load i32, ptr %10, align 4
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %10, align 4
  br label %24

46:                                               ; preds = %24
  %47 = load float, ptr %9, align 4
  %48 = fcmp ogt float %47, 3.000000e+00
  br i1 %48, label %49, label %56

49:                                               ; preds = %46
  %50 = load ptr addrspace(1), ptr %5, align 8
  %51 = load i32, ptr %8, align 4
  %52 = srem i32 %51, 8
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds i32, ptr addrspace(1) %50, i64 %53
  %55 = call i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef %54, i32 noundef 1) #5
  br label %56

56:                                               ; preds = %49, %46
  %57 = load float, ptr %9, align 4
  %58 = call float @_Z4sqrtf(float noundef %57) #4, !fpmath !9
  %59 = load ptr addrspace(1), ptr %4, align 8
  %60 = load i32, ptr %7, align 4
  %61 = srem i32 %60, 256
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds float, ptr addrspace(1) %59, i64 %62
  store float %58, ptr addrspace(1) %63, align 4
  ret void
}

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) #1

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) #1

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #3

; Function Attrs: convergent nounwind
declare dso_local i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef, i32 noundef) #2

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local float @_Z4sqrtf(float noundef) #1

attributes #0 = { convergent noinline norecurse nounwind optnone "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx85" "uniform-work-group-size"="true" }
attributes #1 = { convergent nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx85" }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx85" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent nounwind willreturn memory(none) }
attributes #5 = { convergent nounwind }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2}
!opencl.ocl.version = !{!3}

!0 = !{ptr @mixed, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{i32 1, i32 2}
!5 = !{i32 1, i32 1, i32 0}
!6 = !{!"none", !"none", !"none"}
!7 = !{!"float*", !"int*", !"int"}
!8 = !{!"", !"", !""}
!9 = !{float 3.000000e+00}
