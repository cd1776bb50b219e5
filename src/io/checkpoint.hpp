// Snapshots of a run on disk: DIR.checkpoint/state and state.previous, each with length and
// checksum, written to a temporary name and renamed, so that a crash at any moment leaves a whole
// one behind. They go to the file and come back piece by piece: no copy of the state is made.
#pragma once
#include <string>

#include "gingham/engine/observer.hpp"

namespace gingham {

class Checkpoint final : public Observer {
 public:
  // Opens (and makes, if need be) the folder and locks it for this process; throws Error{output},
  // or Error{usage} when another process is at work there. Writes at most every `interval` seconds,
  // and never spends more than a fiftieth of the time on it.
  Checkpoint(std::string folder, double interval_seconds);
  ~Checkpoint() override;
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  // The session goes on from the newest whole snapshot; false when there is none. `warning` says
  // when the newest was damaged. Throws as Session::restore does, and Error{input} when none is
  // whole.
  bool restore(Session& session, std::string* warning) const;
  Verdict notice(const Event& event) override;
  void save(const Session& session);
  void remove();  // the run is complete

  // A run must not die because its checkpoint could not be written; what went wrong is kept here.
  const std::string& trouble() const { return trouble_; }

 private:
  std::string folder_;
  double interval_;
  double next_at_;
  int lock_ = -1;
  std::string trouble_;
};

// Whether DIR.checkpoint holds an unfinished run.
bool has_checkpoint(const std::string& folder);

}  // namespace gingham
