// Exporters: vectors in the layouts that other systems read.             docs/command-line.md
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sqmax/model/model.h"
#include "sqmax/serve/vectors.h"

#include "cli/json.h"
#include "cli/session.h"

namespace sqmax::cli {

struct Exporter {
  std::string name;
  std::string title;
  /// Writes to `path`, a file or a folder; returns what there is to say about it.
  Json (*write)(const Model&, const ServingVectors&, const std::filesystem::path& path, Session&);
  bool writes_links = true;
};

std::span<const Exporter> exporters();

/// An index of inner products over the items (hnswlib), with its measured recall.
Json export_hnsw(const Model& model, const ServingVectors& vectors,
                 const std::filesystem::path& path, Session& session);

/// Makes a folder, or throws Errc::Io.
void make_folder(const std::filesystem::path& path);

/// A JSON array of ids, by position.
void write_ids(const std::filesystem::path& path, const IdTable& ids);

}  // namespace sqmax::cli
