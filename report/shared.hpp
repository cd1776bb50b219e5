// What the results of one page have in common: axes, cells and names, each written once, and how
// much room there is for them.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gingham/engine/result.hpp"
#include "report/axis.hpp"
#include "report/grid.hpp"
#include "report/json.hpp"

namespace gingham::report {

// Room for all results of a page together; it keeps the page below 3 MB.
inline constexpr Index kExactCells = 1'500'000;        // cells worth trying to keep one by one
inline constexpr std::size_t kExactBytes = 1'100'000;  // what these may take, packed
inline constexpr double kMeanCells = 900'000;          // else: cells of means, a byte each
inline constexpr Index kMaxSide = 600;                 // of a picture of means
inline constexpr std::size_t kLabelBytes = 500'000;
inline constexpr Index kMaxMembers = 20'000;
inline constexpr Index kMaxComponents = 200;  // listed and outlined
inline constexpr std::size_t kMaxLabel = 60;  // characters

Json stretches_json(const std::vector<Stretch>& all);
// A field with one value per cell, or with levels of the scale.
Json exact_field(const Grid& grid, const Scale& scale);
Json level_field(const Grid& grid, const Scale& scale);

class Shared {
 public:
  explicit Shared(Index n_results);
  ~Shared();

  Index n_results() const { return n_results_; }

  // A set of names, or none where there are none or there is no room. Of a long list only `wanted`
  // items are kept, those of earlier calls too.
  std::optional<Index> names(const Labels* labels, const std::vector<Index>& wanted = {});
  Index add_axis(const Axis& axis, const Axis& given, const std::string& title,
                 std::optional<Index> labels);
  Index add_field(Json field);
  // Adds them all and returns their numbers; none where there is no room for exact cells.
  std::optional<std::vector<Index>> add_exact(std::vector<Json> fields);
  // Fields that another result of the page has made already, by what they show.
  std::optional<std::vector<Index>> known(const std::string& what) const;
  void remember(const std::string& what, std::vector<Index> fields);

  // axes, fields and labels into the page.
  void write(Json& page) const;

 private:
  struct NameSet {
    Labels all;  // as given
    std::map<Index, std::string> kept;
    bool is_whole = false;
  };
  void keep(NameSet& set, Index item);

  Index n_results_;
  std::vector<NameSet> names_;
  std::size_t label_bytes_ = 0, exact_bytes_ = 0;
  std::map<std::string, std::vector<Index>> known_;
  std::unique_ptr<Json> axes_, fields_;
};

}  // namespace gingham::report
