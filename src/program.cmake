# The HTTP server, linked by the program alone: nobody else needs cpp-httplib.
pkg_check_modules(httplib REQUIRED IMPORTED_TARGET cpp-httplib)
file(GLOB http_sources CONFIGURE_DEPENDS "serve/http/*.cc")
add_library(sqmax_http STATIC ${http_sources})
sqmax_plugin_list(sqmax_http serve/http/routes ROUTES)
sqmax_embed(sqmax_http serve/http/page_files
            "explorer_html=${PROJECT_SOURCE_DIR}/web/dist/index.html"
            "explorer_js=${PROJECT_SOURCE_DIR}/web/dist/app.js"
            "explorer_css=${PROJECT_SOURCE_DIR}/web/dist/app.css")
target_include_directories(sqmax_http PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}"
                                             "${PROJECT_BINARY_DIR}/generated")
target_link_libraries(sqmax_http PUBLIC sqmax fmt::fmt PRIVATE PkgConfig::httplib)
target_compile_definitions(sqmax_http PRIVATE SQMAX_VERSION="${PROJECT_VERSION}")
sqmax_warnings(sqmax_http)
sqmax_harden(sqmax_http)
sqmax_precompile(sqmax_http)

# The program.
file(GLOB cli_sources CONFIGURE_DEPENDS "cli/*.cc")
list(REMOVE_ITEM cli_sources "${CMAKE_CURRENT_SOURCE_DIR}/cli/main.cc")
add_library(sqmax_cli STATIC ${cli_sources})
sqmax_plugin_list(sqmax_cli cli/commands COMMAND)
sqmax_embed(sqmax_cli cli/demo_files
            "demo_graph=${PROJECT_SOURCE_DIR}/examples/data/debian-12-dependencies.tsv.zst"
            "demo_titles=${PROJECT_SOURCE_DIR}/examples/data/debian-12-titles.tsv.zst")
target_include_directories(sqmax_cli PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}"
                                            "${PROJECT_BINARY_DIR}/generated")
target_link_libraries(sqmax_cli PUBLIC sqmax sqmax_http fmt::fmt)
target_compile_definitions(sqmax_cli PRIVATE SQMAX_VERSION="${PROJECT_VERSION}")
sqmax_warnings(sqmax_cli)
sqmax_harden(sqmax_cli)
sqmax_precompile(sqmax_cli)

add_executable(sqmax_program cli/main.cc)
set_target_properties(sqmax_program PROPERTIES OUTPUT_NAME sqmax
                                               RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
target_link_libraries(sqmax_program PRIVATE sqmax_cli)
sqmax_warnings(sqmax_program)
sqmax_harden(sqmax_program)
install(TARGETS sqmax_program)
