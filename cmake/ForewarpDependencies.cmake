# Everything comes from the distribution's packages.
# LLVM's version file accepts only the same major.minor, hence 19.1.
find_package(LLVM 19.1 REQUIRED CONFIG)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
find_path(TL_EXPECTED_INCLUDE tl/expected.hpp REQUIRED)
find_package(ZLIB REQUIRED)
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)
find_path(MUPARSER_INCLUDE muParser.h REQUIRED)
find_library(MUPARSER_LIBRARY muparser REQUIRED)
find_path(LIBCSV_INCLUDE csv.h REQUIRED)
find_library(LIBCSV_LIBRARY csv REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
# ClangConfig.cmake insists on packages that are not needed to link libclang-cpp.
find_library(CLANG_CPP clang-cpp HINTS ${LLVM_LIBRARY_DIRS} REQUIRED)

add_library(forewarp_llvm INTERFACE)
target_include_directories(forewarp_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_definitions(forewarp_llvm INTERFACE ${llvm_definitions})
target_link_libraries(forewarp_llvm INTERFACE LLVM)

add_library(forewarp_clang INTERFACE)
target_link_libraries(forewarp_clang INTERFACE ${CLANG_CPP} forewarp_llvm)
target_compile_definitions(
  forewarp_clang INTERFACE FOREWARP_CLANG_RESOURCE_DIR="${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}")

# Programs (no library of ours) may take mimalloc in place of the C library's malloc: compilers allocate in small pieces.
find_package(mimalloc QUIET)
add_library(forewarp_allocator INTERFACE)
if(TARGET mimalloc AND NOT FOREWARP_SANITIZE AND NOT FOREWARP_TSAN AND NOT FOREWARP_FUZZ)
  target_link_libraries(forewarp_allocator INTERFACE mimalloc)
  target_compile_definitions(forewarp_allocator INTERFACE FOREWARP_MIMALLOC)
endif()

# LLVM's linker, in process: `forewarp run` of CUDA and HIP sources (liblld-19-dev).
find_library(LLD_ELF lldELF HINTS ${LLVM_LIBRARY_DIR} /usr/lib/llvm-19/lib)
find_library(LLD_COMMON lldCommon HINTS ${LLVM_LIBRARY_DIR} /usr/lib/llvm-19/lib)
find_library(ZSTD_LIBRARY zstd) # llvm-19-dev brings it along
find_path(ZSTD_FOLDER zstd.h)
if(ZSTD_LIBRARY AND ZSTD_FOLDER) # packed parts of fat binaries
  set(FOREWARP_ZSTD_LIBRARY ${ZSTD_LIBRARY})
endif()
if(LLD_ELF AND LLD_COMMON AND ZSTD_LIBRARY)
  set(FOREWARP_LLD ${LLD_ELF} ${LLD_COMMON} ${ZSTD_LIBRARY} ZLIB::ZLIB)
else()
  message(STATUS "LLVM's linker not found (package liblld-19-dev): forewarp run takes no sources")
endif()
