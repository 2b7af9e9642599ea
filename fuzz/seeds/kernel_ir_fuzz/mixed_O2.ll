target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@mixed.t = internal unnamed_addr addrspace(3) global [64 x float] undef, align 4

; Function Attrs: convergent noinline norecurse nounwind
define dso_local spir_kernel void @mixed(ptr addrspace(1) nocapture noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
  %4 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #4
  %5 = trunc i64 %4 to i32
  %6 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #4
  %7 = trunc i64 %6 to i32
  %8 = srem i32 %5, 256
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %9
  %11 = load float, ptr addrspace(1) %10, align 4, !tbaa !9
  %12 = shl i64 %6, 32
  %13 = ashr exact i64 %12, 32
  %14 = getelementptr inbounds [64 x float], ptr addrspace(3) @mixed.t, i64 0, i64 %13
  store float %11, ptr addrspace(3) %14, align 4, !tbaa !9
  tail call void @_Z7barrierj(i32 noundef 1) #5
  %15 = icmp sgt i32 %2, 0
  br i1 %15, label %16, label %36

16:                                               ; preds = %3
  %17 = and i32 %2, 1
  %18 = icmp eq i32 %2, 1
  br i1 %18, label %21, label %19

19:                                               ; preds = %16
  %20 = and i32 %2, 2147483646
  br label %39

21:                                               ; preds = %39, %16
  %22 = phi float [ poison, %16 ], [ %55, %39 ]
  %23 = phi i32 [ 0, %16 ], [ %56, %39 ]
  %24 = phi float [ 0.000000e+00, %16 ], [ %55, %39 ]
  %25 = icmp eq i32 %17, 0
  br i1 %25, label %36, label %26

26:                                               ; preds = %21
  %27 = add nsw i32 %23, %7
  %28 = srem i32 %27, 64
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [64 x float], ptr addrspace(3) @mixed.t, i64 0, i64 %29
  %31 = load float, ptr addrspace(3) %30, align 4, !tbaa !9
  %32 = and i32 %23, 1
  %33 = icmp eq i32 %32, 0
  %34 = select i1 %33, float 5.000000e-01, float 2.000000e+00
  %35 = tail call float @llvm.fmuladd.f32(float %31, float %34, float %24)
  br label %36

36:                                               ; preds = %26, %21, %3
  %37 = phi float [ 0.000000e+00, %3 ], [ %22, %21 ], [ %35, %26 ]
  %38 = fcmp ogt float %37, 3.000000e+00
  br i1 %38, label %59, label %64

39:                                               ; preds = %39, %19
  %40 = phi i32 [ 0, %19 ], [ %56, %39 ]
  %41 = phi float [ 0.000000e+00, %19 ], [ %55, %39 ]
  %42 = phi i32 [ 0, %19 ], [ %57, %39 ]
  %43 = add nsw i32 %40, %7
  %44 = srem i32 %43, 64
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [64 x float], ptr addrspace(3) @mixed.t, i64 0, i64 %45
  %47 = load float, ptr addrspace(3) %46, align 4, !tbaa !9
  %48 = tail call float @llvm.fmuladd.f32(float %47, float 5.000000e-01, float %41)
  %49 = or disjoint i32 %40, 1
  %50 = add nsw i32 %49, %7
  %51 = srem i32 %50, 64
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [64 x float], ptr addrspace(3) @mixed.t, i64 0, i64 %52
  %54 = load float, ptr addrspace(3) %53, align 4, !tbaa !9
  %55 = tail call float @llvm.fmuladd.f32(float %54, float 2.000000e+00, float %48)
  %56 = add nuw nsw i32 %40, 2
  %57 = add i32 %42, 2
  %58 = icmp eq i32 %57, %20
  br i1 %58, label %21, label %39

59:                                               ; preds = %36
  %60 = srem i32 %7, 8
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %61
  %63 = tail call i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef %62, i32 noundef 1) #5
  br label %64

64:                                               ; preds = %59, %36
  %65 = tail call float @_Z4sqrtf(float noundef %37) #4, !fpmath !13
  store float %65, ptr addrspace(1) %10, align 4, !tbaa !9
  ret void
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent nounwind
declare dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #3

; Function Attrs: convergent nounwind
declare dso_local i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare dso_local float @_Z4sqrtf(float noundef) local_unnamed_addr #1

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx85" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx85" }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx85" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
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
!9 = !{!10, !10, i64 0}
!10 = !{!"float", !11, i64 0}
!11 = !{!"omnipotent char", !12, i64 0}
!12 = !{!"Simple C/C++ TBAA"}
!13 = !{float 3.000000e+00}
