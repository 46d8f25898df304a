# sqmax_harden(<target>): what makes a mistake a crash instead of a way in. Sanitizers bring their own.
# Installed with the package, because the Python module, a project of its own, is hardened like the library;
# tools/check_hardening_flags.py looks at what each file was compiled with.
function(sqmax_harden target)
  if(SQMAX_SANITIZE OR SQMAX_FUZZ)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fstack-protector-strong -fstack-clash-protection
                         $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
                         $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64")
    target_compile_options(${target} PRIVATE -fcf-protection)
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now,-z,noexecstack)
endfunction()
