// Problems of all kinds for nmf and groupnmf: ties, zeros, empty rows and columns, holes, missing
// groups, huge and tiny scales, groups that overlap or nest, and any options.
#pragma once
#include <algorithm>

#include "methods/nonnegative/fits.hpp"

namespace gingham::testing {

struct RandomProblem {
  std::string method;
  Dataset data;
  std::vector<Setting> settings;
  std::vector<Attached> lines;

  std::string text() const {
    const Block& block = data.block(0);
    std::string all = method + " " + shape_text(block.shape()) + (block.is_sparse() ? "s" : "") +
                      (block.unlisted() == Unlisted::missing ? "u" : "") +
                      (block.has_missing() ? "?" : "");
    for (const Setting& one : settings) all += " --" + one.name + " " + one.text;
    for (const Attached& one : lines) {
      all += " --" + one.option + " ";
      for (const std::string& line : one.lines) all += line + "|";
    }
    return all;
  }
};

inline Matrix random_nonnegative(Index rows, Index columns, Rng& rng) {
  const Index kind = rng.below(6);
  const double scale = rng.uniform() < 0.25 ? std::pow(10.0, 16.0 * rng.uniform() - 8.0) : 1.0;
  Matrix x(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const double block = i < rows / 2 && j < (columns + 1) / 2 ? 2.0 : 0.0;
      double cell = rng.uniform() + block;
      if (kind == 1) cell = static_cast<double>(rng.below(3));  // ties
      if (kind == 2) cell = rng.uniform() < 0.7 ? 0.0 : cell;   // mostly zeros
      if (kind == 3) cell = (i % 3 == 0 ? 1.0 : 0.5) * (1.0 + static_cast<double>(j));  // rank one
      if (kind == 4) cell = i == j ? 1.0 : 0.0;
      x(i, j) = scale * cell;
    }
  }
  for (Index i = 0; i < rows; ++i) {
    if (rng.uniform() < 0.05)
      for (double& cell : x.row(i)) cell = 0.0;
  }
  for (Index j = 0; j < columns; ++j) {
    if (rng.uniform() < 0.05)
      for (Index i = 0; i < rows; ++i) x(i, j) = 0.0;
  }
  return rng.uniform() < 0.03 ? Matrix(rows, columns) : x;
}

// Single cells, and whole rows and columns of which nearly everything goes.
inline void make_random_holes(Rng& rng, Matrix& x) {
  const double share = rng.uniform() < 0.6 ? 0.4 * rng.uniform() : 0.9;
  const double lost = rng.uniform() < 0.5 ? 0.15 : 0.0;
  std::vector<double> of_row, of_column;
  for (Index i = 0; i < x.rows(); ++i) of_row.push_back(rng.uniform() < lost ? 0.9 : share);
  for (Index j = 0; j < x.cols(); ++j) of_column.push_back(rng.uniform() < lost ? 0.95 : 0.0);
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      if (rng.uniform() < std::max(of_row[i], of_column[j])) x(i, j) = std::nan("");
    }
  }
}

inline std::vector<std::string> random_groups(Index n_items, Rng& rng) {
  const Index kind = rng.below(6), n_groups = 1 + rng.below(4);
  std::vector<std::string> lines;
  const auto any = [&] { return "g" + std::to_string(rng.below(n_groups)); };
  for (Index i = 0; i < n_items; ++i) {
    std::string line = kind == 0 ? "g" + std::to_string(i * n_groups / n_items) : any();
    if (kind == 1) line = "s" + std::to_string(i);
    if (kind == 2) line += "," + any();
    if (kind == 3) line += "/" + any() + (rng.uniform() < 0.5 ? "/x" : "");
    if (kind == 4) line += "/" + any() + ",h" + std::to_string(rng.below(2));
    lines.push_back(rng.uniform() < 0.1 ? "" : line);
  }
  return lines;
}

// The names in the lines, without those of outer groups.
inline std::vector<std::string> names_in(const std::vector<std::string>& lines) {
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    const std::string first = line.substr(0, line.find(','));
    if (!first.empty() && std::find(names.begin(), names.end(), first) == names.end())
      names.push_back(first);
  }
  return names;
}

inline void add_groups(RandomProblem& problem, Index n_items, Index n_others, Rng& rng) {
  problem.lines.push_back({"groups", random_groups(n_items, rng)});
  const std::vector<std::string> names = names_in(problem.lines[0].lines);
  if (names.empty()) return;
  const auto any = [&] { return names[rng.below(std::ssize(names))]; };
  if (rng.uniform() < 0.3) problem.settings.push_back({"free", any()});
  if (rng.uniform() < 0.3)
    problem.lines.push_back({"group-weights", {any() + (rng.uniform() < 0.3 ? " 0" : "\t2.5")}});
  if (rng.uniform() < 0.35) {
    problem.lines.push_back({"missing-groups", {}});
    for (Index i = 0; i < n_others; ++i) {
      std::string line = rng.uniform() < 0.4 ? any() : "";
      if (!line.empty() && rng.uniform() < 0.3) line += "," + any();
      problem.lines.back().lines.push_back(line);
    }
  }
}

inline RandomProblem random_problem(Rng& rng) {
  const auto size = [&] { return 1 + rng.below(rng.uniform() < 0.2 ? 4 : 24); };
  const Index rows = size(), columns = size();
  Matrix x = random_nonnegative(rows, columns, rng);
  const bool is_negative = rng.uniform() < 0.1;
  if (is_negative) {
    for (double& cell : x.values()) cell *= rng.uniform() < 0.3 ? -1.0 : 1.0;
  }
  if (rng.uniform() < 0.4) make_random_holes(rng, x);
  Block block = rng.uniform() < 0.4
                    ? Block("X", SparseMatrix::from_dense(x), {},
                            rng.uniform() < 0.4 ? Unlisted::missing : Unlisted::zero)
                    : Block("X", x);
  const bool has_groups = rng.uniform() < 0.65;
  RandomProblem problem{has_groups ? "groupnmf" : "nmf", Dataset(std::move(block)), {}, {}};
  const char* const alphas[] = {"auto", "auto", "0.01", "1"};
  const char* const betas[] = {"0", "0.001", "0.1", "1", "10"};
  const char* const shares[] = {"1%", "10%", "50%", "100%", "200%"};
  problem.settings = {{"rank", rng.uniform() < 0.05 ? "auto" : to_text(1 + rng.below(6))},
                      {"max-rank", 4},
                      {"start", rng.uniform() < 0.5 ? "random" : "nndsvd"},
                      {"restarts", 1 + rng.below(2)},
                      {"max-iterations", rng.uniform() < 0.3 ? 3 : 400},
                      {"precision", rng.uniform() < 0.15 ? "float" : "double"},
                      {"alpha", alphas[rng.below(4)]},
                      {"allow-negative", is_negative}};
  if (!has_groups) {
    const char* const penalties[] = {"none", "frobenius", "l1"};
    problem.settings.push_back({"solver", rng.uniform() < 0.5 ? "bpp" : "hals"});
    problem.settings.push_back({"penalty", penalties[rng.below(3)]});
    problem.settings.push_back({"beta", betas[rng.below(5)]});
    return problem;
  }
  const bool of_rows = rng.uniform() < 0.5;
  problem.settings.push_back({"solver", rng.uniform() < 0.4 ? "matrix" : "vector"});
  problem.settings.push_back({"axis", of_rows ? "rows" : "columns"});
  problem.settings.push_back({"norm", rng.uniform() < 0.5 ? "2" : "inf"});
  problem.settings.push_back(
      {"beta", rng.uniform() < 0.5 ? betas[rng.below(5)] : shares[rng.below(5)]});
  if (rng.uniform() < 0.9)
    add_groups(problem, of_rows ? rows : columns, of_rows ? columns : rows, rng);
  return problem;
}

}  // namespace gingham::testing
