#include "gingham/io/checkpoint.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "gingham/base/digest.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/byte_source.hpp"

namespace gingham {
namespace {

// A file: magic, snapshot, and at its end, when they are known, length and checksum.
constexpr std::string_view kMagic = "GINGHAM CHECKPOINT 2\n";
constexpr double kShareOfTime = 0.02;

struct Trailer {
  std::uint64_t size = 0;
  std::uint64_t digest = 0;
};

void write_snapshot(ByteSink& sink, const Session& session) {
  Trailer trailer;
  Digest digest;
  sink.write(kMagic);
  Archive ar([&](std::span<const std::byte> bytes) {
    digest.add_bytes(bytes.data(), bytes.size());
    trailer.size += bytes.size();
    sink.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  });
  session.save(ar);
  ar.finish();
  trailer.digest = digest.value();
  sink.write({reinterpret_cast<const char*>(&trailer), sizeof trailer});
}

// The length of the snapshot in a file that is whole.
std::optional<Index> whole_size(const InputFile& file) {
  constexpr Index kPiece = Index{1} << 20;
  const auto start = static_cast<Index>(kMagic.size());
  const Index size = file.size() - start - static_cast<Index>(sizeof(Trailer));
  if (size < 0) return std::nullopt;
  std::string magic(kMagic.size(), '\0');
  Trailer trailer;
  file.read_at(magic.data(), magic.size(), 0);
  file.read_at(reinterpret_cast<char*>(&trailer), sizeof trailer, start + size);
  if (magic != kMagic || trailer.size != static_cast<std::uint64_t>(size)) return std::nullopt;
  Digest digest;
  std::vector<char> piece(static_cast<std::size_t>(std::min(size, kPiece)));
  for (Index done = 0; done < size; done += kPiece) {
    const auto count = static_cast<std::size_t>(std::min(kPiece, size - done));
    file.read_at(piece.data(), count, start + done);
    digest.add_bytes(piece.data(), count);
  }
  if (digest.value() != trailer.digest) return std::nullopt;
  return size;
}

void read_snapshot(const InputFile& file, Index size, Session& session) {
  auto at = static_cast<Index>(kMagic.size());
  const auto read = [&](std::span<std::byte> bytes) {
    file.read_at(reinterpret_cast<char*>(bytes.data()), bytes.size(), at);
    at += static_cast<Index>(bytes.size());
  };
  Archive ar(read, static_cast<std::size_t>(size));
  session.restore(ar);
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

bool Checkpoint::restore(Session& session, std::string* warning) const {
  std::string problem;
  for (const std::string& path : {state_path(folder_), previous_path(folder_)}) {
    if (!std::filesystem::exists(path)) continue;
    const InputFile file(path);
    if (const std::optional<Index> size = whole_size(file)) {
      read_snapshot(file, *size, session);
      if (warning != nullptr && !problem.empty())
        *warning = problem + "; the one before it is used";
      return true;
    }
    problem = printable(path) + " is damaged";
  }
  if (!problem.empty()) {
    throw Error(ErrorCode::input, "--resume",
                problem + " and there is no other; start anew with --force");
  }
  return false;
}

void Checkpoint::save(const Session& session) {
  const double before = session.session_seconds();
  try {
    if (std::filesystem::exists(state_path(folder_))) {
      std::filesystem::rename(state_path(folder_), previous_path(folder_));
    }
    AtomicFile file(state_path(folder_), /*replace=*/true, /*compressed=*/false);
    write_snapshot(file.sink(), session);
    file.commit();
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
