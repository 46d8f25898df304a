// --items: a table of what people know of items, with its memory told before.
#pragma once

#include <string>

#include "cli/data_args.h"
#include "cli/session.h"

namespace sqmax::cli {

/// The most that reading such a table for so many items takes beside the data. Looks through all
/// of a file; of a pipe, whose bytes come once, it is what the largest table takes.
std::int64_t item_table_bytes(const std::string& path, Offset items);

/// Reads the table into the dataset; nothing if `path` is empty. Throws Errc::BadInput.
void read_about_items(const std::string& path, Prepared& prepared, Session& session);

}  // namespace sqmax::cli
