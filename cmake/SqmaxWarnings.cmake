# sqmax_warnings(<target>): our warnings, on our targets only; errors in developer mode.
function(sqmax_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                           -Wmissing-declarations
                                           # a designated initialiser leaves the rest at its default
                                           -Wno-missing-field-initializers)
  if(SQMAX_DEVELOPER)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# sqmax_sanitize(<target>): the sanitizers named by SQMAX_SANITIZE, for everything linked with it;
# coverage feedback as well where libFuzzer needs it.
function(sqmax_sanitize target)
  foreach(sanitizer IN LISTS SQMAX_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${sanitizer} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${sanitizer})
  endforeach()
  if(SQMAX_SANITIZE)
    target_compile_options(${target} PUBLIC -fno-sanitize-recover=all)
  endif()
  if(SQMAX_FUZZ)
    target_compile_options(${target} PUBLIC -fsanitize=fuzzer-no-link)
  endif()
endfunction()
