// Names of the header of that name in NVIDIA's samples.
#pragma once
#pragma clang system_header

struct StopWatchInterface {};
inline bool sdkCreateTimer(StopWatchInterface**) { return true; }
inline bool sdkDeleteTimer(StopWatchInterface**) { return true; }
inline bool sdkStartTimer(StopWatchInterface**) { return true; }
inline bool sdkStopTimer(StopWatchInterface**) { return true; }
inline bool sdkResetTimer(StopWatchInterface**) { return true; }
float sdkGetTimerValue(StopWatchInterface** timer);
float sdkGetAverageTimerValue(StopWatchInterface** timer);
