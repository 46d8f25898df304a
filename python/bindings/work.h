// work(): long calls, without the interpreter's lock and with a limit of threads.
#pragma once

#include <nanobind/nanobind.h>
#include <oneapi/tbb/task_arena.h>

namespace sqmax::python {

/// An arena of its own, unlike ThreadLimit: calls from several Python threads do not meet.
template <class Run>
auto work(int threads, const Run& run) {
  const nanobind::gil_scoped_release unlocked;
  if (threads <= 0) return run();
  tbb::task_arena arena(threads);
  return arena.execute(run);
}

}  // namespace sqmax::python
