// Ids: raw ids as a list of Python's strings.
#pragma once

#include <nanobind/nanobind.h>

#include "sqmax/data/id_table.h"

namespace sqmax::python {

nanobind::list texts_of(const IdTable& ids);

}  // namespace sqmax::python
