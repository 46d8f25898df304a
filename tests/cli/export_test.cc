// sqmax export: other systems get vectors whose inner products are the model's scores.
#include <cstring>

#include "sqmax/core/tensor_file.h"
#include "sqmax/model/model.h"

#include "cli/exporters.h"
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::HasSubstr;
using Rows = std::vector<std::vector<float>>;

// NumPy's own rules: magic, version, a header that ends at a multiple of 64, then the values.
Rows read_npy(const std::filesystem::path& path) {
  const std::string bytes = contents(path);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  std::uint16_t length = 0;
  std::memcpy(&length, bytes.data() + 8, 2);
  const std::string header = bytes.substr(10, length);
  EXPECT_EQ((10u + length) % 64, 0u);
  EXPECT_EQ(header.back(), '\n');
  EXPECT_THAT(header, HasSubstr("'descr': '<f4', 'fortran_order': False"));
  std::size_t rows = 0;
  std::size_t cols = 0;
  EXPECT_EQ(
      std::sscanf(header.c_str() + header.find("'shape'"), "'shape': (%zu, %zu)", &rows, &cols), 2);
  EXPECT_EQ(bytes.size(), 10u + length + 4 * rows * cols);
  Rows matrix(rows, std::vector<float>(cols));
  for (std::size_t r = 0; r < rows; ++r) {
    std::memcpy(matrix[r].data(), bytes.data() + 10 + length + 4 * r * cols, 4 * cols);
  }
  return matrix;
}

Rows read_tsv(const std::filesystem::path& path, std::vector<std::string>& ids) {
  Rows matrix;
  for (const std::string& line : lines_of(contents(path))) {
    std::istringstream in(line);
    ids.emplace_back();
    in >> ids.back();
    matrix.emplace_back(std::istream_iterator<float>(in), std::istream_iterator<float>());
  }
  return matrix;
}

class ExportTest : public ProgramTest {
 protected:
  void export_to(const std::string& format) const {
    const Json document = json_of("export %/model.safetensors --to " + format + " -o %/out");
    EXPECT_EQ(document["format"], format);
    EXPECT_EQ(document["users"], 40);
    EXPECT_EQ(document["items"], 30);
  }

  // Every user's inner products and the links of its items, against what `recommend` says.
  void expect_scores(const Rows& users, const Rows& items, const Rows& links = {}) const {
    const auto lists = json_lines_of("recommend %/model.safetensors --all --allow-seen --k 30");
    ASSERT_EQ(users.size(), lists.size());
    for (std::size_t x = 0; x < users.size(); ++x) {
      for (const Json& entry : lists[x]["items"]) {
        const auto y = static_cast<std::size_t>(position_.at(entry["item"]));
        double score = 0.0;
        for (std::size_t k = 0; k < users[x].size(); ++k)
          score += double{users[x][k]} * items[y][k];
        for (const Index z : seen_.view().row(static_cast<Index>(x))) {
          if (!links.empty()) score += links[at(z)][y];
        }
        ASSERT_NEAR(score, entry["score"], 1e-5);
      }
    }
  }

  void train_and_index(const std::string& options) {
    train(options);
    const Model model = load_model(folder_ / "model.safetensors");
    for (Index y = 0; y < model.item_count(); ++y) position_[std::string(model.items[y])] = y;
    seen_ = model.seen;
  }

  // The values of an array of one dimension.
  template <class T>
  std::vector<T> array_of(const std::string& name) const {
    const std::string bytes = contents(folder_ / "out" / name);
    std::uint16_t length = 0;
    std::memcpy(&length, bytes.data() + 8, 2);
    std::vector<T> values((bytes.size() - 10 - length) / sizeof(T));
    std::memcpy(values.data(), bytes.data() + 10 + length, values.size() * sizeof(T));
    return values;
  }

  // Dense, from the three arrays of a sparse matrix.
  static Rows dense(std::span<const Offset> offsets, std::span<const Index> indices,
                    std::span<const float> values) {
    Rows links(30, std::vector<float>(30));
    for (std::size_t z = 0; z < 30; ++z) {
      for (std::size_t i = at(offsets[z]); i < at(offsets[z + 1]); ++i) {
        links[z][at(indices[i])] = values[i];
      }
    }
    return links;
  }

  std::map<std::string, Index> position_;
  Csr seen_;
};

TEST_F(ExportTest, NumpyMatrices) {
  for (const char* loss : {"rgp", "wrmf", "popularity"}) {
    train_and_index("--loss " + std::string(loss));
    export_to("npy");
    const bool linked = std::filesystem::exists(folder_ / "out" / "links_data.npy");
    EXPECT_EQ(linked, std::string(loss) == "rgp");
    const Rows links =
        linked ? dense(array_of<Offset>("links_indptr.npy"), array_of<Index>("links_indices.npy"),
                       array_of<float>("links_data.npy"))
               : Rows();
    expect_scores(read_npy(folder_ / "out" / "user_vectors.npy"),
                  read_npy(folder_ / "out" / "item_vectors.npy"), links);
    const Json ids = Json::parse(contents(folder_ / "out" / "items.json"));
    for (const auto& [id, y] : position_) EXPECT_EQ(ids[at(y)], id);
    std::filesystem::remove_all(folder_ / "out");
  }
}

TEST_F(ExportTest, LinksOfAnotherModelDoNotStay) {
  for (const std::string format : {"npy", "tsv"}) {
    train();
    export_to(format);
    train("--links 0");
    export_to(format);
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out")) {
      EXPECT_THAT(entry.path().filename().string(), testing::Not(HasSubstr("links")));
    }
    std::filesystem::remove_all(folder_ / "out");
  }
}

TEST_F(ExportTest, Tables) {
  train_and_index("");
  export_to("tsv");
  std::vector<std::string> users;
  std::vector<std::string> items;
  const Rows P = read_tsv(folder_ / "out" / "user_vectors.tsv", users);
  const Rows Q = read_tsv(folder_ / "out" / "item_vectors.tsv", items);
  for (const auto& [id, y] : position_) EXPECT_EQ(items[at(y)], id);
  Rows links(30, std::vector<float>(30));
  for (const std::string& line : lines_of(contents(folder_ / "out" / "links.tsv"))) {
    std::istringstream in(line);
    std::string source;
    std::string target;
    in >> source >> target;
    in >> links[at(position_.at(source))][at(position_.at(target))];
  }
  expect_scores(P, Q, links);
}

TEST_F(ExportTest, Safetensors) {
  train_and_index("");
  export_to("safetensors");
  const TensorFile file = TensorFile::open(folder_ / "out", "vectors");
  const auto rows_of = [&file](const std::string& name) {
    const auto& shape = file.shape(name);
    const auto values = file.array<float>(name);
    Rows rows;
    for (Offset r = 0; r < shape[0]; ++r) {
      rows.emplace_back(values.begin() + r * shape[1], values.begin() + (r + 1) * shape[1]);
    }
    return rows;
  };
  expect_scores(
      rows_of("user_vectors"), rows_of("item_vectors"),
      dense(file.array<Offset>("links.offsets").span(), file.array<Index>("links.indices").span(),
            file.array<float>("links.values").span()));
  EXPECT_EQ(json_of("inspect %/out")["kind"], "vectors");
}

TEST_F(ExportTest, AnIndexThatFindsWhatExactSearchFinds) {
  train_and_index("");
  const Json document = json_of("export %/model.safetensors --to hnsw -o %/out");
  EXPECT_GT(document["recall@10"], 0.95);
  EXPECT_GT(std::filesystem::file_size(folder_ / "out" / "items.hnsw"), 30u * 5u * 4u);
  EXPECT_EQ(Json::parse(contents(folder_ / "out" / "items.json")).size(), 30u);
}

TEST_F(ExportTest, SameBytesWhateverTheThreads) {
  train();
  for (const cli::Exporter& exporter : cli::exporters()) {
    const std::string line = "export %/model.safetensors --to " + exporter.name;
    output_of(line + " -o %/a --threads 1");
    output_of(line + " -o %/b --threads 3");
    if (std::filesystem::is_regular_file(folder_ / "a")) {
      EXPECT_EQ(contents(folder_ / "a"), contents(folder_ / "b"));
    } else {
      for (const auto& entry : std::filesystem::directory_iterator(folder_ / "a")) {
        EXPECT_EQ(contents(entry.path()), contents(folder_ / "b" / entry.path().filename()))
            << entry.path();
      }
    }
    std::filesystem::remove_all(folder_ / "a");
    std::filesystem::remove_all(folder_ / "b");
  }
}

TEST_F(ExportTest, AFormatAndAPlaceAreNeeded) {
  train();
  expect_sentence(run("export %/model.safetensors -o %/out"), "--to");
  expect_sentence(run("export %/model.safetensors -o %/out --to parquet"), "'parquet'");
  expect_sentence(run("export %/model.safetensors --to npy"), "-o");
  expect_sentence(run("export %/small.tsv --to npy -o %/out"), "small.tsv");
  expect_sentence(run("export %/model.safetensors --to safetensors -o %/model.safetensors"),
                  "model.safetensors");
  for (const cli::Exporter& exporter : cli::exporters()) {
    const std::string line = "export %/model.safetensors --quiet --to " + exporter.name;
    expect_sentence(run(line + " -o %/small.tsv/out"), "small.tsv/out");
    expect_sentence(run(line + " -o /proc/out"), "/proc/out");
  }
}

}  // namespace
}  // namespace sqmax::testing_cli
