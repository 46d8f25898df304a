// Dataset: interactions split for training, validation and test, with the raw ids.
#pragma once

#include <filesystem>
#include <string>

#include "sqmax/data/csr.h"
#include "sqmax/data/id_table.h"
#include "sqmax/data/item_table.h"

namespace sqmax {

/// Every part has a row per user and a column per item; a pair is in at most one part.
struct Dataset {
  IdTable users;
  IdTable items;
  Csr train;
  Csr valid;
  Csr test;
  /// What is known of users that training never sees (strong generalisation): their vectors are
  /// folded in from here. Empty rows for everybody else.
  Csr history;
  ItemTable about_items;      ///< titles and more, for people; may be empty
  std::string recipe = "{}";  ///< JSON: inputs, filters, split and seed that made it
  std::string doctor = "{}";  ///< JSON: what the doctor found on the way

  Index user_count() const { return train.rows; }
  Index item_count() const { return train.cols; }
};

void save_dataset(const Dataset& dataset, const std::filesystem::path& path);

/// The arrays stay in the mapped file. Throws Errc::BadFile if it is not a sound dataset.
Dataset load_dataset(const std::filesystem::path& path);

/// Sixteen hexadecimal digits that change with any interaction or id of any part.
std::string fingerprint(const Dataset& dataset);

}  // namespace sqmax
