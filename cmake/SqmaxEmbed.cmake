# sqmax_embed(<target> <header> <name>=<file>…): compiles the bytes of files into <target>. The header
# generated/<header>.h declares a std::string_view embedded::<name> for each.
function(sqmax_embed target header)
  set(source "${PROJECT_BINARY_DIR}/generated/${header}.cc")
  set(declarations "")
  set(files "")
  foreach(pair IN LISTS ARGN)
    string(REGEX REPLACE "=.*" "" name "${pair}")
    string(REGEX REPLACE "^[^=]*=" "" file "${pair}")
    string(APPEND declarations "extern const std::string_view ${name};\n")
    list(APPEND files "${file}")
  endforeach()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/${header}.h" @ONLY CONTENT
       "#pragma once\n#include <string_view>\nnamespace sqmax::embedded {\n${declarations}}\n")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake")
  add_custom_command(OUTPUT "${source}"
                     COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${source}" "-DHEADER=${header}.h"
                             "-DPAIRS=${ARGN}" -P "${script}"
                     DEPENDS ${files} "${script}" VERBATIM)
  target_sources(${target} PRIVATE "${source}")
endfunction()
