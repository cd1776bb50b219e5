// What was found, in the units of the scaled views.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multiview/multiview.hpp"
#include "gingham/methods/multiview/swap.hpp"

namespace gingham::methods::multiview {

std::vector<double> Multiview::least_gains() const {
  std::vector<double> least;
  std::vector<View> views = views_;
  for (std::size_t c = 0; c < found_.size(); ++c) {
    leave(c, views);
    const Fitter fitter(views);
    const std::vector<double> gains = fitter.gains(fitter.row_products(found_[c]), limits_[c]);
    double smallest = INFINITY;
    for (std::size_t i = 0; i < gains.size(); ++i) {
      if (found_[c].omega[i] != 0.0) smallest = std::min(smallest, gains[i]);
    }
    least.push_back(std::isinf(smallest) ? 0.0 : smallest);
  }
  return least;
}

std::vector<std::string> Multiview::notes() const {
  std::vector<std::string> notes;
  const Index asked = options_.integer("clusters");
  if (excludes() && std::ssize(found_) < asked && n_tries_ >= options_.integer("starts")) {
    const std::vector<std::uint8_t> left = next_limits(found_.size()).available;
    if (is_refining_ || std::count(left.begin(), left.end(), 0) == n_rows())
      notes.push_back(fmt::format(
          "{} of {} co-clusters were found: they have taken all rows; --rows with fewer rows per "
          "co-cluster leaves some for the others",
          found_.size(), asked));
  }
  for (std::size_t k = 0; k < views_.size(); ++k) {
    const View& view = views_[k];
    if (view.squares() == 0.0) {
      notes.push_back(
          fmt::format("view {} says nothing: all its columns are constant or missing", k));
    } else if (view.preparation().constant_columns > 0) {
      notes.push_back(fmt::format("{} of the {} columns of view {} are constant and say nothing",
                                  view.preparation().constant_columns, view.cols(), k));
    }
  }
  return notes;
}

std::vector<double> Multiview::shares_of_views(const Explained& lost) const {
  std::vector<double> shares;
  for (std::size_t k = 0; views_.size() > 1 && k < views_.size(); ++k) {
    shares.push_back(share_lost(lost[k], views_[k].weight() * views_[k].squares()));
  }
  return shares;
}

// Per view, what the loss rises by without component c. Rows that exclude each other lose what the
// component explains; of terms that overlap it is what it explains of what all others leave.
Explained Multiview::lost_without(std::size_t c) const {
  if (excludes()) return explained_[c];
  std::vector<View> views = views_;
  for (std::size_t k = 0; k < views.size(); ++k) {
    const auto has = static_cast<std::size_t>(views[k].n_terms());
    for (std::size_t l = has; l < found_.size(); ++l)
      views[k].subtract(1.0, found_[l].left(k), found_[l].v[k]);
    views[k].subtract(-1.0, found_[c].left(k), found_[c].v[k]);  // its own again
  }
  return Fitter(views).explained(found_[c]);
}

Model Multiview::model(Context&) const {
  Model model;
  if (found_.empty()) return model;
  const auto n_components = std::ssize(found_);
  Matrix omega(n_rows(), n_components), strength(n_rows(), n_components);
  std::vector<Matrix> u, v;
  for (const View& view : views_) {
    u.emplace_back(n_rows(), n_components);
    v.emplace_back(view.cols(), n_components);
  }
  UsedValues rows{"rows", {}}, columns{"columns", {}};
  for (const Index one : columns_) columns.values.push_back(static_cast<double>(one));
  for (Index c = 0; c < n_components; ++c) {
    const CoCluster& one = found_[c];
    for (Index i = 0; i < n_rows(); ++i) omega(i, c) = one.omega[i];
    for (std::size_t k = 0; k < views_.size(); ++k) {
      const double scale = views_[k].weight() * sum_squares(one.v[k]);
      for (Index j = 0; j < views_[k].cols(); ++j) v[k](j, c) = one.v[k][j];
      for (Index i = 0; i < n_rows(); ++i) {
        const double a = one.omega[i] * one.u[k][i];
        strength(i, c) += scale * a * a;
        u[k](i, c) = one.u[k][i] / row_weights_[i];
      }
    }
    const Explained lost = lost_without(static_cast<std::size_t>(c));
    model.components.push_back({std::sqrt(std::max(total(explained_[c]), 0.0)),
                                share_lost(total(lost), total_), shares_of_views(lost)});
    rows.values.push_back(static_cast<double>(limits_[c].rows));
  }
  model.explained = share_explained(loss(), total_);
  for (double& one : strength.values()) one = std::sqrt(one);
  model.memberships.push_back(membership_of("rows", std::nullopt, strength));
  model.arrays.push_back({"omega", std::move(omega)});
  const auto add = [&](const char* name, auto&& of_view) {
    for (std::size_t k = 0; k < views_.size(); ++k) {
      model.arrays.push_back({fmt::format("{}_{}", name, k), of_view(k)});
    }
  };
  for (std::size_t k = 0; k < views_.size(); ++k) {
    model.memberships.push_back(membership_of("columns", static_cast<Index>(k), v[k]));
  }
  add("u", [&](std::size_t k) { return std::move(u[k]); });
  add("v", [&](std::size_t k) { return std::move(v[k]); });
  add("center", [&](std::size_t k) { return views_[k].preparation().means; });
  add("scale", [&](std::size_t k) { return views_[k].preparation().column_scale; });
  model.arrays.push_back({"least_gain", least_gains()});
  model.used = {std::move(rows), std::move(columns)};
  model.measures.push_back({"refined", is_refining_ ? 1.0 : 0.0});
  model.notes = notes();
  return model;
}

}  // namespace gingham::methods::multiview
