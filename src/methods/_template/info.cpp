// A method to copy: the folder's name becomes its namespace, and `name` below what users type. It
// fits the same profile to every row.
//
//   minimise  0.5 sum_i || x_i - c ||^2          x_i: row i of the data, c: one value per column
//
// Start here: write the formula, then step() and terms(), then recompute(), which must share no
// code with them. The contract tests run over the new method as soon as it is built.
#include "gingham/engine/registry.hpp"

namespace gingham::methods::_template {
namespace {

class Profile final : public Method {
 public:
  explicit Profile(const Options& options) : shrinkage_(options.real("shrinkage")) {}

  void start(const Dataset& data, Context& ctx) override {
    attach(data, ctx);
    profile_.assign(static_cast<std::size_t>(points_->cols()), 0.0);
  }

  void attach(const Dataset& data, Context&) override { points_ = data.block(0).dense_matrix(); }

  Done step(Context& ctx) override {
    ctx.phase("profile");
    // c = mean / (1 + shrinkage): one pass, in fixed blocks, summed along a fixed tree.
    std::vector<double> sums(profile_.size(), 0.0);
    const Partition blocks = Partition::even(points_->rows(), points_->cols());
    sum_blocks(ctx.executor(), blocks.count(), std::span<double>(sums),
               [&](Index block, Vec partial) {
                 for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
                   for (Index j = 0; j < points_->cols(); ++j) partial[j] += (*points_)(i, j);
                 }
               });
    const double weight = static_cast<double>(points_->rows()) * (1.0 + shrinkage_);
    for (std::size_t j = 0; j < sums.size(); ++j) profile_[j] = sums[j] / weight;
    is_fitted_ = true;
    return Done::iteration;
  }

  Terms terms(Context&, Accuracy) override {
    Terms terms;
    double squares = 0.0;
    for (Index i = 0; i < points_->rows(); ++i) {
      for (Index j = 0; j < points_->cols(); ++j) {
        const double residual = (*points_)(i, j) - profile_[j];
        terms.loss += 0.5 * residual * residual;
      }
    }
    for (const double value : profile_) squares += value * value;
    terms.penalties = {
        {"shrinkage", 0.5 * shrinkage_ * static_cast<double>(points_->rows()) * squares}};
    terms.gaps = {{"profile", 0.0}};  // a closed form: one step is exact
    return terms;
  }

  bool conclude(Status, Context&) override { return false; }

  Model model(Context&) const override {
    Model model;
    if (!is_fitted_) return model;
    model.arrays.push_back({"profile", profile_});
    model.memberships = {membership_of(
        "rows", std::nullopt, std::vector<Index>(static_cast<std::size_t>(points_->rows())))};
    model.components = {{1.0, 0.0}};
    return model;
  }

  void state(Archive& ar) override { ar("profile", profile_)("fitted", is_fitted_); }

 private:
  double shrinkage_;
  const Matrix* points_ = nullptr;
  std::vector<double> profile_;
  bool is_fitted_ = false;
};

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  const Matrix& x = *data.block(0).dense_matrix();
  const auto& profile = std::get<std::vector<double>>(model.arrays.at(0).values);
  const auto n = static_cast<long double>(x.rows());
  const long double shrinkage = options.real("shrinkage");
  long double loss = 0, squares = 0;
  for (Index j = 0; j < x.cols(); ++j) {
    squares += static_cast<long double>(profile[j]) * profile[j];
    for (Index i = 0; i < x.rows(); ++i) {
      loss += (x(i, j) - static_cast<long double>(profile[j])) *
              (x(i, j) - static_cast<long double>(profile[j])) / 2;
    }
  }
  Recomputed result;
  result.terms.loss = static_cast<double>(loss);
  result.terms.penalties = {{"shrinkage", static_cast<double>(shrinkage * n * squares / 2)}};
  result.terms.gaps = {{"profile", 0.0}};
  result.components = {{1.0, 0.0}};
  result.memberships = {
      membership_of("rows", std::nullopt, std::vector<Index>(static_cast<std::size_t>(x.rows())))};
  return result;
}

}  // namespace

MethodInfo info() {
  return {.name = "template",
          .title = "The same profile for every row",
          .formula = "0.5 sum_i ||x_i - c||^2 + 0.5 shrinkage n ||c||^2",
          .reference = "Name the paper here",
          .python_class = "Template",
          .example = "gingham fit template table.csv -o out",
          .input = InputKind::matrix,
          .traits = {.descent = true},
          .options = {real_option("shrinkage", "0", 0, 1e6,
                                  "How strongly the profile is drawn towards zero.")},
          .arrays = {{"profile", "one value per column"}},
          .make = [](const Options& options) { return std::make_unique<Profile>(options); },
          .peak_bytes =
              [](const Dataset& data, const Options&) {
                return 64.0 *
                       static_cast<double>(data.block(0).shape()[1] + data.block(0).shape()[0]);
              },
          .recompute = recompute};
}

}  // namespace gingham::methods::_template
