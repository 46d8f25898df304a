// A stranger's program: three calls that pull in the libraries behind sqmax.
#include <sqmax/core/error.h>
#include <sqmax/core/parallel.h>
#include <sqmax/core/tensor_file.h>
#include <sqmax/data/id_table.h>

int main() {
  sqmax::IdMap ids;
  sqmax::parallel_blocks(1, 1, [&](const sqmax::Block&) { ids.insert("debhelper"); });
  try {
    sqmax::TensorFile::open("absent.safetensors", "model");
  } catch (const sqmax::Error&) {
    return ids.size() - 1;
  }
  return 1;
}
