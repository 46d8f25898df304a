// The one function that every fuzzer defines; libFuzzer and standalone_main.cc call it.
#pragma once

#include <cstddef>
#include <cstdint>

/// Must return 0, leave nothing behind, and let no exception out.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
