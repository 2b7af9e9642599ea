# embed_folder(TARGET FOLDER SYMBOL): every file below FOLDER becomes a string in the generated SYMBOL.inc, which TARGET
# may include: a list of {"path below FOLDER", "contents"}. Called again with -P, this file writes the list.
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*)
  list(SORT files)
  set(text "")
  foreach(file IN LISTS files)
    file(READ ${FOLDER}/${file} contents)
    string(APPEND text "{\"${file}\", R\"forewarp(${contents})forewarp\"},\n")
  endforeach()
  file(WRITE ${OUTPUT} "${text}")
  return()
endif()

set(FOREWARP_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(embed_folder TARGET FOLDER SYMBOL)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${FOLDER}/*)
  set(output ${CMAKE_BINARY_DIR}/embedded/${SYMBOL}.inc)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${FOLDER} -DOUTPUT=${output} -P ${FOREWARP_EMBED_SCRIPT}
    DEPENDS ${files} ${FOREWARP_EMBED_SCRIPT}
    VERBATIM)
  target_sources(${TARGET} PRIVATE ${output})
  target_include_directories(${TARGET} PRIVATE ${CMAKE_BINARY_DIR}/embedded)
endfunction()
