#include "gingham/base/digest.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace gingham {

struct Digest::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() {
    if (xxh == nullptr) throw std::bad_alloc();
    XXH3_64bits_reset(xxh);
  }
  ~State() { XXH3_freeState(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Digest::Digest() : state_(std::make_unique<State>()) {}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::add_bytes(const void* data, std::size_t size) {
  if (size > 0) XXH3_64bits_update(state_->xxh, data, size);
}

void Digest::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  add_bytes(text.data(), text.size());
}

std::uint64_t Digest::value() const { return XXH3_64bits_digest(state_->xxh); }

std::string Digest::hex() const { return fmt::format("{:016x}", value()); }

std::uint64_t digest_bytes(const void* data, std::size_t size) { return XXH3_64bits(data, size); }

}  // namespace gingham
