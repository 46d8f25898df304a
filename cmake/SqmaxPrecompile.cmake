# sqmax_precompile(<target>): reads the headers that nearly every file includes once for the
# target instead of once a file, which is much of what compiling a small file takes. Files name what they
# include all the same; -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON compiles each by itself.
# fmt is not among them: it sets how to optimise and takes that back, which GCC forgets in between.
function(sqmax_precompile target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <cstring> <filesystem> <functional> <limits>
    <map> <memory> <mutex> <numeric> <optional> <span> <string> <string_view> <utility> <vector>)
endfunction()
