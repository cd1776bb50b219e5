#include "annotate/pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "annotate/bags.hpp"
#include "annotate/features.hpp"
#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/read.hpp"
#include "gingham/io/write.hpp"
#include "gingham/tools/output.hpp"

namespace gingham::annotate {
namespace {

// Row numbers of each bag, rising.
std::vector<std::vector<Index>> rows_by_bag(const std::vector<Index>& bag_of, Index n_bags) {
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(n_bags));
  for (std::size_t i = 0; i < bag_of.size(); ++i)
    rows[static_cast<std::size_t>(bag_of[i])].push_back(static_cast<Index>(i));
  return rows;
}

// The pooled value of one atom over a bag's patches, of which some may not be listed: zeros.
class Pool {
 public:
  explicit Pool(const Pooling& pooling) : pooling_(pooling) {}
  void add(double value) {
    if (pooling_.is_absolute) value = std::abs(value);
    sum_ += value;
    largest_ = n_listed_ == 0 ? value : std::max(largest_, value);
    ++n_listed_;
  }
  double value(Index n_patches) const {
    if (n_patches == 0) return 0.0;
    if (!pooling_.is_max) return sum_ / static_cast<double>(n_patches);
    return n_listed_ < n_patches ? std::max(largest_, 0.0) : largest_;
  }

 private:
  Pooling pooling_;
  double sum_ = 0.0, largest_ = 0.0;
  Index n_listed_ = 0;
};

Matrix pool_dense(const Matrix& codes, const std::vector<std::vector<Index>>& rows,
                  const Pooling& pooling) {
  Matrix pooled(std::ssize(rows), codes.cols());
  for (Index b = 0; b < pooled.rows(); ++b) {
    const std::vector<Index>& own = rows[static_cast<std::size_t>(b)];
    std::vector<Pool> pools(static_cast<std::size_t>(codes.cols()), Pool(pooling));
    for (const Index i : own) {
      for (Index j = 0; j < codes.cols(); ++j) pools[static_cast<std::size_t>(j)].add(codes(i, j));
    }
    for (Index j = 0; j < codes.cols(); ++j)
      pooled(b, j) = pools[static_cast<std::size_t>(j)].value(std::ssize(own));
  }
  return pooled;
}

SparseMatrix pool_sparse(const SparseMatrix& codes, const std::vector<std::vector<Index>>& rows,
                         const Pooling& pooling) {
  Array<Index> pointers(std::ssize(rows) + 1);
  GrowingArray<std::int32_t> columns;
  GrowingArray<double> values;
  for (Index b = 0; b < std::ssize(rows); ++b) {
    const std::vector<Index>& own = rows[static_cast<std::size_t>(b)];
    std::map<std::int32_t, Pool> pools;
    for (const Index i : own) {
      for (Index k = codes.pointers()[i]; k < codes.pointers()[i + 1]; ++k)
        pools.try_emplace(codes.columns()[k], Pool(pooling)).first->second.add(codes.values()[k]);
    }
    for (const auto& [column, one] : pools) {
      const double value = one.value(std::ssize(own));
      if (value == 0.0) continue;
      columns.push_back(column);
      values.push_back(value);
    }
    pointers.data()[b + 1] = values.size();
  }
  return SparseMatrix(std::ssize(rows), codes.cols(), std::move(pointers), columns.finish(),
                      values.finish());
}

// The file with a code per patch: in a directory of results it has a name.
std::string codes_file(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return path;
  for (const char* name : {"codes.npz", "codes.npy"}) {
    if (std::filesystem::exists(path + "/" + name)) return path + "/" + name;
  }
  throw Error(ErrorCode::input, printable(path),
              "has no codes.npz; expected the result of a fit that codes samples, or of transform");
}

struct Patches {
  std::vector<Bag> bags;
  std::vector<Index> bag_of;
};

Patches read_patches(const std::string& folder) {
  Patches patches;
  const TextTable bags(folder + "/bags.tsv"), rows(folder + "/patches.tsv");
  std::map<std::string, Index> numbers;
  for (Index b = 0; b < bags.rows(); ++b) {
    patches.bags.push_back({bags.at(b, "bag"), split_terms(bags.at(b, "terms"))});
    if (!numbers.try_emplace(bags.at(b, "bag"), b).second)
      throw Error(ErrorCode::input, bags.where(b), "a bag comes twice");
  }
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto bag = numbers.find(rows.at(i, "bag"));
    if (bag == numbers.end() || parse_integer(rows.at(i, "row")) != i)
      throw Error(ErrorCode::input, rows.where(i),
                  fmt::format("expected patch {} of a bag in bags.tsv", i));
    patches.bag_of.push_back(bag->second);
  }
  return patches;
}

std::string provenance(const PoolRequest& request, const std::string& file, const Block& codes,
                       const Block& pooled, const PoolOutcome& outcome) {
  nlohmann::ordered_json json;
  json["gingham"] = kVersion;
  json["parameters"] = {{"pool", request.pooling.is_max ? "max" : "mean"},
                        {"abs", request.pooling.is_absolute ? "yes" : "no"}};
  json["features"] = printable(request.features, 4096);
  json["codes"] = {{"path", printable(file, 4096)}, {"digest", codes.digest()}};
  json["bags"] = outcome.n_bags;
  json["patches"] = outcome.n_patches;
  json["atoms"] = outcome.n_atoms;
  json["nonzeros"] = outcome.n_nonzeros;
  json["empty_bags"] = outcome.n_empty_bags;
  json["pooled"] = {{"file", outcome.file}, {"digest", pooled.digest()}};
  return json.dump(1) + "\n";
}

}  // namespace

Block pool_codes(const Block& codes, const std::vector<Index>& bag_of, Index n_bags,
                 const Pooling& pooling) {
  if (!codes.is_matrix())
    throw Error(ErrorCode::input, codes.name(), "is no matrix; expected a row per patch");
  if (codes.shape()[0] != std::ssize(bag_of))
    throw Error(
        ErrorCode::input, codes.name(),
        fmt::format("{} rows found, expected {}: one per patch", codes.shape()[0], bag_of.size()));
  if (codes.has_missing())
    throw Error(ErrorCode::input, codes.name(),
                "has missing values; expected a code for each patch");
  const std::vector<std::vector<Index>> rows = rows_by_bag(bag_of, n_bags);
  if (const SparseMatrix* sparse = codes.sparse_matrix())
    return Block("pooled", pool_sparse(*sparse, rows, pooling));
  return Block("pooled", pool_dense(*codes.dense_matrix(), rows, pooling));
}

PoolOutcome pool(const PoolRequest& request) {
  check_parent(request.output);
  check_replaceable(request.output, kPoolMarker, "pooled codes", request.force);
  const std::string folder = without_final_slash(request.features);
  if (!std::filesystem::exists(folder + "/" + kFeaturesMarker))
    throw Error(ErrorCode::input, printable(folder), "is not a directory that features made");
  const Patches patches = read_patches(folder);
  const std::string file = codes_file(request.codes);
  const Block codes = read_block(file);
  const Block pooled = pool_codes(codes, patches.bag_of, std::ssize(patches.bags), request.pooling);
  PoolOutcome outcome{.n_bags = std::ssize(patches.bags),
                      .n_patches = std::ssize(patches.bag_of),
                      .n_atoms = codes.shape()[1],
                      .n_nonzeros = pooled.summary().nonzeros,
                      .file = pooled.is_sparse() ? "pooled.npz" : "pooled.npy"};
  std::string names, terms = "bag\tterms\n";
  for (const Bag& bag : patches.bags) {
    names += bag.name + "\n";
    terms += bag.name + "\t" + joined_terms(bag.terms) + "\n";
  }
  for (const auto& own : rows_by_bag(patches.bag_of, outcome.n_bags))
    outcome.n_empty_bags += own.empty() ? 1 : 0;
  AtomicDirectory directory(request.output, request.force, kPoolMarker);
  const std::unique_ptr<ByteSink> sink = directory.open(outcome.file);
  if (const SparseMatrix* sparse = pooled.sparse_matrix()) {
    write_npz_sparse(*sink, *sparse);
  } else {
    write_npy(*sink, *pooled.dense_matrix());
  }
  sink->finish();
  directory.write("bags.txt", names);
  directory.write("terms.tsv", terms);
  directory.write(kPoolMarker, provenance(request, file, codes, pooled, outcome));
  directory.commit();
  return outcome;
}

}  // namespace gingham::annotate
