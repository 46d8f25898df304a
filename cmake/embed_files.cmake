# cmake -DOUTPUT=x.cc -DHEADER=x.h "-DPAIRS=name=file;…" -P: what sqmax_embed() runs.
set(text "#include \"${HEADER}\"\nnamespace sqmax::embedded {\n")
foreach(pair IN LISTS PAIRS)
  string(REGEX REPLACE "=.*" "" name "${pair}")
  string(REGEX REPLACE "^[^=]*=" "" file "${pair}")
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
  string(APPEND text "namespace {\nconstexpr unsigned char ${name}_bytes[] = {\n${bytes}0};\n}\n"
         "const std::string_view ${name}(reinterpret_cast<const char*>(${name}_bytes),\n"
         "                               sizeof ${name}_bytes - 1);\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}}\n")
