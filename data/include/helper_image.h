// Names of the header of that name in NVIDIA's samples.
#pragma once
#pragma clang system_header

template <class T> bool sdkLoadPGM(const char* file, T** data, unsigned* width, unsigned* height);
template <class T> bool sdkSavePGM(const char* file, T* data, unsigned width, unsigned height);
template <class T> bool sdkLoadPPM4(const char* file, T** data, unsigned* width, unsigned* height);
template <class T> bool sdkSavePPM4ub(const char* file, T* data, unsigned width, unsigned height);
template <class T> bool sdkCompareL2fe(const T* reference, const T* data, unsigned length, float epsilon);
template <class T, class S> bool compareData(const T* reference, const T* data, unsigned length, S epsilon, float threshold);
bool sdkCompareBin2BinFloat(const char*, const char*, unsigned, float, float, char*);
