// How often each member of a result comes back in the other restarts of its run.
//
//   J(k, l) = (1/M) sum_m |A_k^m n B_l^m| / |A_k^m u B_l^m|
//
// A_k^m: the items of mode m (of all M, those of every block) in component k of the restart that is
// kept, B_l^m: in component l of another one; 0 of two empty sets. Components are paired one to
// one, the pair with the largest J first, of equal ones that with the lowest k, then the lowest l;
// a pair without a common item is none. With l(r, k) the partner of k in restart r, if it has one,
//
//   stability of i in A_k^m = share of the other restarts r with i in B_{l(r, k)}^m.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gingham/engine/registry.hpp"

namespace gingham {

// Who belonged to what in a restart, without values. Items of a component are rising, and each is
// written as its distance from the one before: one or two bytes mostly, in place of a Member.
class Roster {
 public:
  struct Mode {
    Index n_items = 0;
    Index n_components = 0;
    std::vector<std::uint8_t> bytes = {};

    template <class Archive>
    void state(Archive& ar) {
      ar("n_items", n_items)("n_components", n_components)("bytes", bytes);
    }
  };

  Roster() = default;
  explicit Roster(std::vector<Membership> memberships);

  const std::vector<Mode>& modes() const { return modes_; }
  Index bytes() const;    // of memory
  bool is_whole() const;  // what was read back is such a list

  template <class Archive>
  void state(Archive& ar) {
    ar("modes", modes_);
  }

 private:
  std::vector<Mode> modes_;
};

// Per membership of the kept model one number per member; nothing where there are no others. A mode
// that another restart lacks, or has of another size, counts as empty there. Requires is_whole.
std::vector<std::vector<double>> stability_of(const Model& kept, std::span<const Roster> others);

// Bytes that the rosters of a run may take together; restarts that find no room are not counted.
double roster_room(const MethodInfo& info, const Dataset& data, const Options& options);
// The same with what it takes to compare them at the end.
double stability_bytes(const MethodInfo& info, const Dataset& data, const Options& options);

}  // namespace gingham
