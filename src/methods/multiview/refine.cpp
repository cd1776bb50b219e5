#include "gingham/methods/multiview/refine.hpp"

#include <algorithm>

namespace gingham::methods::multiview {
namespace {

// The row of which most is left, among those whose co-cluster can spare one; -1 where nothing is.
Index least_explained(const std::vector<View>& views, const Sharing& sharing,
                      const std::vector<Index>& sizes) {
  Index row = -1;
  double most = 0.0;
  for (std::size_t i = 0; i < sharing.owner.size(); ++i) {
    const Index owner = sharing.owner[i];
    if (owner >= 0 && sizes[owner] < 2) continue;
    double left = -sharing.best[i];
    for (const View& view : views) left += view.weight() * view.row_squares()[i];
    if (left > most) {
      most = left;
      row = static_cast<Index>(i);
    }
  }
  return row;
}

// Co-cluster c, which has no rows, from the row of which most is left, if that explains more of it.
void begin_again(const std::vector<View>& views, const std::vector<Limits>& limits, std::size_t c,
                 std::vector<CoCluster>& found, Sharing& sharing, std::vector<Index>& sizes) {
  const Index row = least_explained(views, sharing, sizes);
  if (row < 0) return;
  CoCluster fresh = at_row(views, limits[c], row);
  const Fitter fitter(views);
  std::vector<Products> z = fitter.row_products(fresh);
  const double more = exchange(fitter.gains(z, limits[c])[row], sharing.best[row]);
  if (more == 0.0) return;
  found[c] = std::move(fresh);
  sharing.z[c] = std::move(z);
  sharing.exchanged += more;
  if (sharing.owner[row] >= 0) --sizes[sharing.owner[row]];
  sharing.owner[row] = static_cast<Index>(c);
  sizes[c] = 1;
}

}  // namespace

CoCluster at_row(const std::vector<View>& views, const Limits& limits, Index row) {
  CoCluster c;
  c.omega.assign(limits.available.size(), 0.0);
  for (std::size_t k = 0; k < views.size(); ++k) {
    c.u.emplace_back(c.omega.size(), 0.0);
    c.v.emplace_back(static_cast<std::size_t>(views[k].cols()));
    views[k].fill_row(row, c.v[k]);
    keep_largest(limits.columns[k], c.v[k]);
  }
  return c;
}

Sharing share_out(const Fitter& fitter, const std::vector<CoCluster>& found,
                  const std::vector<Limits>& limits) {
  const std::size_t n = found.front().omega.size();
  Sharing sharing{std::vector<Index>(n, -1), std::vector<double>(n, 0.0), {}, 0.0, {}};
  std::vector<Index> before(n, -1);
  std::vector<double> own(n, 0.0);
  for (std::size_t c = 0; c < found.size(); ++c) {
    sharing.z.push_back(fitter.row_products(found[c]));
    const Explained missed = fitter.shortfall(sharing.z[c], limits[c], found[c]);
    sharing.gained.resize(missed.size(), 0.0);
    for (std::size_t k = 0; k < missed.size(); ++k) sharing.gained[k] += missed[k];
    const std::vector<double> gains = fitter.gains(sharing.z[c], limits[c]);
    for (std::size_t i = 0; i < n; ++i) {
      if (found[c].omega[i] != 0.0) {
        before[i] = static_cast<Index>(c);
        own[i] = gains[i];
      }
      if (gains[i] > sharing.best[i]) {
        sharing.best[i] = gains[i];
        sharing.owner[i] = static_cast<Index>(c);
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double more = exchange(sharing.best[i], own[i]);
    if (more == 0.0) sharing.owner[i] = before[i];
    sharing.exchanged += more;
  }
  return sharing;
}

Sharing refine(const std::vector<View>& views, const std::vector<Limits>& limits,
               std::vector<CoCluster>& found, std::vector<Step>& columns) {
  const Fitter fitter(views);
  Sharing sharing = share_out(fitter, found, limits);
  std::vector<Index> sizes(found.size(), 0);
  for (const Index owner : sharing.owner) {
    if (owner >= 0) ++sizes[owner];
  }
  for (std::size_t c = 0; c < found.size(); ++c) {
    if (sizes[c] == 0) begin_again(views, limits, c, found, sharing, sizes);
  }
  columns.clear();
  std::vector<std::uint8_t> chosen(sharing.owner.size());
  for (std::size_t c = 0; c < found.size(); ++c) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      chosen[i] = sharing.owner[i] == static_cast<Index>(c) ? 1 : 0;
    }
    fitter.take_rows(sharing.z[c], chosen, limits[c], found[c]);
    columns.push_back(fitter.choose_columns(limits[c], found[c]));
  }
  return sharing;
}

}  // namespace gingham::methods::multiview
