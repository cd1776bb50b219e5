#include "gingham/io/checkpoint.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "gingham/base/digest.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/whole_file.hpp"

namespace gingham {
namespace {

constexpr std::string_view kMagic = "GINGHAM CHECKPOINT 1\n";
constexpr double kShareOfTime = 0.02;

// magic, length, checksum, snapshot
std::string framed(std::span<const std::byte> snapshot) {
  std::string bytes(kMagic);
  const auto size = static_cast<std::uint64_t>(snapshot.size());
  const std::uint64_t digest = digest_bytes(snapshot.data(), snapshot.size());
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(reinterpret_cast<const char*>(&digest), sizeof digest);
  bytes.append(reinterpret_cast<const char*>(snapshot.data()), snapshot.size());
  return bytes;
}

std::optional<std::vector<std::byte>> unframed(std::string_view bytes) {
  std::uint64_t size = 0, digest = 0;
  if (!bytes.starts_with(kMagic)) return std::nullopt;
  bytes.remove_prefix(kMagic.size());
  if (bytes.size() < sizeof size + sizeof digest) return std::nullopt;
  std::memcpy(&size, bytes.data(), sizeof size);
  std::memcpy(&digest, bytes.data() + sizeof size, sizeof digest);
  bytes.remove_prefix(sizeof size + sizeof digest);
  if (bytes.size() != size || digest_bytes(bytes.data(), bytes.size()) != digest)
    return std::nullopt;
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return std::vector<std::byte>(begin, begin + bytes.size());
}

std::string state_path(const std::string& folder) { return folder + "/state"; }
std::string previous_path(const std::string& folder) { return folder + "/state.previous"; }

}  // namespace

bool has_checkpoint(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(state_path(folder), ignored) ||
         std::filesystem::exists(previous_path(folder), ignored);
}

Checkpoint::Checkpoint(std::string folder, double interval_seconds)
    : folder_(std::move(folder)), interval_(interval_seconds), next_at_(interval_seconds) {
  if (mkdir(folder_.c_str(), 0777) != 0 && errno != EEXIST) {
    throw Error(ErrorCode::output, printable(folder_),
                std::string("cannot be made: ") + std::strerror(errno));
  }
  lock_ = open((folder_ + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) {
    throw Error(ErrorCode::output, printable(folder_),
                std::string("cannot be written: ") + std::strerror(errno));
  }
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    close(lock_);
    throw Error(ErrorCode::usage, printable(folder_),
                "another run is writing there; wait for it or choose another output");
  }
}

Checkpoint::~Checkpoint() {
  if (!has_checkpoint(folder_)) remove();
  if (lock_ >= 0) close(lock_);
}

std::optional<std::vector<std::byte>> Checkpoint::load(std::string* warning) const {
  std::string problem;
  for (const std::string& path : {state_path(folder_), previous_path(folder_)}) {
    if (!std::filesystem::exists(path)) continue;
    std::optional<std::vector<std::byte>> snapshot = unframed(read_whole_file(path));
    if (snapshot) {
      if (warning != nullptr && !problem.empty())
        *warning = problem + "; the one before it is used";
      return snapshot;
    }
    problem = printable(path) + " is damaged";
  }
  if (!problem.empty()) {
    throw Error(ErrorCode::input, "--resume",
                problem + " and there is no other; start anew with --force");
  }
  return std::nullopt;
}

void Checkpoint::save(const Session& session) {
  const double before = session.session_seconds();
  try {
    const std::string bytes = framed(session.snapshot());
    if (std::filesystem::exists(state_path(folder_))) {
      std::filesystem::rename(state_path(folder_), previous_path(folder_));
    }
    write_file_atomically(state_path(folder_), bytes);
    trouble_.clear();
  } catch (const std::exception& error) {
    trouble_ = error.what();
  }
  const double now = session.session_seconds();
  next_at_ = now + std::max(interval_, (now - before) / kShareOfTime);
}

Verdict Checkpoint::notice(const Event& event) {
  // A run that is stopped saves at once, before anything else is computed: there may be seconds
  // left to live.
  const bool due = event.stopping || event.session.session_seconds() >= next_at_;
  if (due && !event.finished) save(event.session);
  return Verdict::go_on;
}

void Checkpoint::remove() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace gingham
