# add_room(NAME [LLVM|CLANG] [COLD] [LIBRARIES ...]): one folder of src/ is one static library, forewarp_NAME.
# COLD: no time of a prediction is spent there; compiled at -O1, which takes a quarter less (bench/README.md).
# A room links the rooms that tools/layers.txt lets it include, so that the table is the only place to edit.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# Behind the build type's flags, the last of which holds. At -O1, g++ 12 takes optionals that were tested for uninitialised.
set(FOREWARP_COLD_FLAGS $<$<CONFIG:Release>:-O1> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
# The code of unit tests runs for a moment: -O1 would add a fifth to its compiling and never give it back.
set(FOREWARP_UNIT_FLAGS $<$<CONFIG:Release>:-O0> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

# What one checkout has compiled another one takes from the cache: paths below the checkout are hashed relative to it.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_ABSSTDERR=1 ${CCACHE})
endif()

# Some 60 programs are linked, each with the archives of most rooms: 1.5 s with GNU's linker, a fifth of that with this one.
find_program(MOLD mold)
if(MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1)
  add_link_options(-fuse-ld=mold)
endif()

# Files of a folder that are compiled together: cmake/group_sources.py; what it saves: bench/README.md.
option(FOREWARP_GROUPS "Compile the files of a room in groups" ON)
find_program(FOREWARP_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH) # the system's own: wrappers of others take longer
find_program(FOREWARP_PYTHON python3 REQUIRED)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/group_sources.py)
function(group_sources NAME ROOT OUT)
  if(FOREWARP_GROUPS)
    execute_process(COMMAND ${FOREWARP_PYTHON} -S ${CMAKE_SOURCE_DIR}/cmake/group_sources.py ${CMAKE_BINARY_DIR}/groups ${NAME} ${ROOT}
                            ${ARGN}
                    OUTPUT_VARIABLE grouped COMMAND_ERROR_IS_FATAL ANY)
    set(${OUT} ${grouped} PARENT_SCOPE)
  else()
    set(${OUT} ${ARGN} PARENT_SCOPE)
  endif()
endfunction()

add_library(forewarp_flags INTERFACE)
target_compile_options(forewarp_flags INTERFACE -Wall -Wextra -Wshadow -Wno-missing-field-initializers)
if(FOREWARP_WERROR)
  target_compile_options(forewarp_flags INTERFACE -Werror)
endif()
# g++ collects its garbage at 128 MB by default, again and again; not doing so saves a tenth of a build's time for a fifth more memory.
target_compile_options(forewarp_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
# Function clones for several instruction sets must give the same bits.
target_compile_options(forewarp_flags INTERFACE -ffp-contract=off)
target_include_directories(forewarp_flags INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
if(FOREWARP_SANITIZE)
  target_compile_options(forewarp_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                  -fno-omit-frame-pointer)
  # Instrumented code makes g++ 12 see uninitialised members of variants that are never read.
  target_compile_options(forewarp_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(forewarp_flags INTERFACE -fsanitize=address,undefined)
endif()
if(FOREWARP_TSAN)
  target_compile_options(forewarp_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  # Fences are not followed by the sanitizer; the standard library's shared pointers use none of their own.
  target_compile_options(forewarp_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  target_link_options(forewarp_flags INTERFACE -fsanitize=thread)
endif()
if(FOREWARP_FUZZ)
  target_compile_options(forewarp_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/layers.txt)
file(STRINGS ${CMAKE_SOURCE_DIR}/tools/layers.txt FOREWARP_LAYER_LINES REGEX "^[a-z]+ *:")

function(room_dependencies NAME OUT)
  foreach(line IN LISTS FOREWARP_LAYER_LINES)
    if(line MATCHES "^${NAME} *:(.*)$")
      string(STRIP "${CMAKE_MATCH_1}" rest)
      separate_arguments(rest)
      set(${OUT} ${rest} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "room '${NAME}' has no line in tools/layers.txt")
endfunction()

function(add_room NAME)
  cmake_parse_arguments(ROOM "LLVM;CLANG;COLD" "" "LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${NAME}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/src/([a-z]+/main|explore/mpi|learn/opencv|program/(opencl|cuda|inside))/")
  room_dependencies(${NAME} dependencies)
  list(TRANSFORM dependencies PREPEND forewarp_)
  if(sources)
    group_sources(${NAME} ${CMAKE_SOURCE_DIR}/src sources ${sources})
    add_library(forewarp_${NAME} STATIC ${sources})
    precompile(forewarp_${NAME} forewarp_headers)
    set(kind PUBLIC)
  else()
    add_library(forewarp_${NAME} INTERFACE)
    set(kind INTERFACE)
  endif()
  if(ROOM_COLD AND sources)
    target_compile_options(forewarp_${NAME} PRIVATE ${FOREWARP_COLD_FLAGS})
  endif()
  target_link_libraries(forewarp_${NAME} ${kind} ${dependencies} forewarp_flags fmt::fmt nlohmann_json::nlohmann_json
                                         ${ROOM_LIBRARIES})
  if(ROOM_CLANG)
    # g++ 12 on Clang's own headers, two false alarms.
    target_compile_options(forewarp_${NAME} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-nonnull -Wno-free-nonheap-object>)
    target_link_libraries(forewarp_${NAME} ${kind} forewarp_clang)
  elseif(ROOM_LLVM)
    target_link_libraries(forewarp_${NAME} ${kind} forewarp_llvm)
  endif()
endfunction()

# add_suites(TARGET PREFIX): the suites of a GoogleTest program as tests PREFIXsuite of CTest, listed when the program is linked.
function(add_suites TARGET PREFIX)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}_suites.cmake)
  add_custom_command(TARGET ${TARGET} POST_BUILD BYPRODUCTS ${out}
                     COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${TARGET}> -DPREFIX=${PREFIX} -DFOLDER=${CMAKE_CURRENT_BINARY_DIR} -DOUT=${out}
                             -P ${CMAKE_SOURCE_DIR}/cmake/list_suites.cmake)
  # A test that fails stands for a program that is not built.
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}_include.cmake
       "if(EXISTS [[${out}]])\n  include([[${out}]])\nelse()\n  add_test(${TARGET}_NOT_BUILT ${TARGET}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}_include.cmake)
endfunction()

# add_room_tests(TIER ROOM): tests/TIER/ROOM/*.cpp -> one GoogleTest program TIER_ROOM, its suites known to CTest.
function(add_room_tests TIER ROOM)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${TIER}/${ROOM}/*.cpp)
  if(NOT sources)
    return()
  endif()
  set(target ${TIER}_${ROOM})
  group_sources(${target} ${CMAKE_SOURCE_DIR}/tests sources ${sources})
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE forewarp_${ROOM} GTest::gtest_main ${ARGN})
  if(TIER STREQUAL unit)
    target_compile_options(${target} PRIVATE ${FOREWARP_UNIT_FLAGS})
    precompile(${target} unit_headers)
  else()
    target_compile_options(${target} PRIVATE ${FOREWARP_COLD_FLAGS})
    precompile(${target} test_headers)
  endif()
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE FOREWARP_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_suites(${target} ${TIER}.${ROOM}.)
endfunction()
