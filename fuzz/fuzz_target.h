// What fuzzers define; libFuzzer or standalone_main.cc calls it.
#pragma once

#include <cstddef>
#include <cstdint>

/// Must return 0, leave nothing behind, and let no exception out.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

/// Traps if the inputs so far leave out what a corpus must have; a fuzzer need not define it.
/// standalone_main.cc calls it after the files of a folder.
[[gnu::weak]] void check_corpus();

/// Whether inputs come by the thousand, so that each may try a part of what it could.
#ifdef SQMAX_LIBFUZZER
inline constexpr bool kInputsAreMany = true;
#else
inline constexpr bool kInputsAreMany = false;
#endif
