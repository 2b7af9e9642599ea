# Headers that most files read, compiled once for all: they took 0.8 s of each of 350 units (bench/README.md). Not with ccache, because what one
# checkout has compiled with a precompiled header no other one can use; not for sanitizers and tools, which build seldom.
if(CMAKE_BUILD_TYPE STREQUAL Release AND CMAKE_CXX_COMPILER_ID STREQUAL GNU AND FOREWARP_GROUPS AND NOT CCACHE)
  set(precompile ON)
else()
  set(precompile OFF)
endif()
option(FOREWARP_PRECOMPILE "Precompile the headers that most files read" ${precompile})

set(FOREWARP_COMMON_HEADERS
    <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <numeric> <optional> <set> <span> <string>
    <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)

# g++ takes a precompiled header only where each macro that it looked at is defined as it was, LLVM's for <cstdint> among them.
if(FOREWARP_PRECOMPILE)
  target_compile_definitions(forewarp_flags INTERFACE ${llvm_definitions})
endif()

# add_precompiled(NAME KIND FLAGS HEADERS...): the headers for all libraries (KIND library) or programs (KIND executable) of these flags, which
# differ in the form of position-independent code and in whether anything is optimised.
function(add_precompiled NAME KIND FLAGS)
  if(NOT FOREWARP_PRECOMPILE)
    return()
  endif()
  set(source ${CMAKE_BINARY_DIR}/precompiled/${NAME}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() { return 0; }\n")
  if(KIND STREQUAL library)
    add_library(${NAME} STATIC ${source})
  else()
    add_executable(${NAME} ${source})
  endif()
  target_compile_options(${NAME} PRIVATE ${FLAGS})
  target_link_libraries(${NAME} PRIVATE forewarp_flags fmt::fmt)
  target_precompile_headers(${NAME} PRIVATE ${ARGN})
endfunction()

# precompile(TARGET NAME): TARGET reads the headers of NAME.
function(precompile TARGET NAME)
  if(FOREWARP_PRECOMPILE)
    target_precompile_headers(${TARGET} REUSE_FROM ${NAME})
  endif()
endfunction()

add_precompiled(forewarp_headers library "" ${FOREWARP_COMMON_HEADERS})
