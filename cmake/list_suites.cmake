# cmake -DPROGRAM=... -DPREFIX=... -DFOLDER=... -DOUT=... -P list_suites.cmake: writes OUT, CTest's lines for a GoogleTest program, one test a
# suite. A program takes 35 ms to start, most of them for LLVM's and Clang's libraries: with one process for each of 2,400 tests that was a fifth of
# the time of all tests (CMake's own gtest_discover_tests knows no other way).

execute_process(COMMAND ${PROGRAM} --gtest_list_tests WORKING_DIRECTORY ${FOLDER} OUTPUT_VARIABLE listed RESULT_VARIABLE result TIMEOUT 60)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests ended with ${result}")
endif()
# Suites are the lines that are not indented: "Name." or "Name.  # TypeParam() = ...". Brackets and semicolons mean lists to CMake.
string(REGEX REPLACE "[];[]" "" listed "${listed}")
string(REPLACE "\n" ";" listed "${listed}")
set(lines "")
foreach(line IN LISTS listed)
  if(line MATCHES "^([^ ]+\\.)( |$)")
    set(suite ${CMAKE_MATCH_1})
    string(REGEX REPLACE "\\.$" "" name ${PREFIX}${suite})
    # A suite is skipped where all of its tests are.
    string(APPEND lines "add_test([[${name}]] [[${PROGRAM}]] [[--gtest_filter=${suite}*]])\n"
                        "set_tests_properties([[${name}]] PROPERTIES WORKING_DIRECTORY [[${FOLDER}]] "
                        "SKIP_REGULAR_EXPRESSION [==[PASSED  . 0 tests.\n(.  SKIPPED [^\n]*\n?)+$]==])\n")
  endif()
endforeach()
file(WRITE ${OUT} "${lines}")
