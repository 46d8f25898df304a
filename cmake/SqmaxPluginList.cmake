# sqmax_plugin_list(<target> <dir> <MACRO>): compiles <dir>/*.cc into <target> and writes
# generated/<dir>.inc with one MACRO(stem) per file: adding a plugin is adding one file.
function(sqmax_plugin_list target dir macro)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${dir}/*.cc")
  set(lines "")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    string(APPEND lines "${macro}(${name})\n")
  endforeach()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/${dir}.inc" CONTENT "${lines}" @ONLY)
  target_sources(${target} PRIVATE ${sources})
endfunction()
