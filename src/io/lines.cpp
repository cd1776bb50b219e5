#include "gingham/io/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "gingham/base/text.hpp"

namespace gingham {
namespace {

constexpr Index kBufferBytes = Index{1} << 18;
constexpr Index kSmallestBuffer = 256;  // for files that are smaller still

bool equal_nocase(std::string_view a, std::string_view lower) {
  if (a.size() != lower.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char c = a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] - 'A' + 'a') : a[i];
    if (c != lower[i]) return false;
  }
  return true;
}

}  // namespace

LineReader::LineReader(ByteSource& source, const Limits& limits)
    : source_(source),
      max_line_bytes_(limits.max_line_bytes),
      buffer_(static_cast<std::size_t>(std::clamp<Index>(
          source.remaining().value_or(kBufferBytes) + 1, kSmallestBuffer, kBufferBytes))) {
  // The line end and a mark come on top of the longest line.
  if (max_line_bytes_ > std::numeric_limits<Index>::max() / 4) {
    max_line_bytes_ = std::numeric_limits<Index>::max() / 4;
  }
}

// Makes room for `wanted` bytes from begin_ on, or for some at least, and reads on.
bool LineReader::fill(std::size_t wanted) {
  if (at_end_) return false;
  if (begin_ > 0 && (filled_ == buffer_.size() || wanted > buffer_.size() - begin_)) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, filled_ - begin_);
    filled_ -= begin_;
    next_ -= begin_;
    begin_ = 0;
  }
  if (filled_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
  if (buffer_.size() < wanted) buffer_.resize(wanted);
  const std::size_t got = take(buffer_.data() + filled_, buffer_.size() - filled_);
  filled_ += got;
  at_end_ = got == 0;
  return got > 0;
}

// The next bytes: those read before come first.
std::size_t LineReader::take(char* out, std::size_t size) {
  const std::size_t count = std::min(size, later_end_ - later_begin_);
  if (count > 0) {
    std::memcpy(out, later_.data() + later_begin_, count);
    later_begin_ += count;
    return count;
  }
  if (failure_) std::rethrow_exception(failure_);
  return source_.read(out, size);
}

// Goes on in the other buffer where what is left of this one fits before what was read there.
void LineReader::swap_in() {
  const std::size_t left = filled_ - begin_;
  if (later_begin_ == later_end_ || left > later_begin_) return;
  std::memcpy(later_.data() + later_begin_ - left, buffer_.data() + begin_, left);
  std::swap(buffer_, later_);
  next_ = later_begin_ - left + (next_ - begin_);
  begin_ = later_begin_ - left;
  filled_ = later_end_;
  later_begin_ = later_end_ = 0;
}

void LineReader::prefetch(std::size_t bytes) {
  if (at_end_ || failure_ || later_begin_ < later_end_) return;
  try {
    const std::size_t room = bytes / 4;  // for the rest of a line
    const Index unread = source_.remaining().value_or(std::numeric_limits<Index>::max());
    const std::size_t wanted = std::min(bytes, static_cast<std::size_t>(unread));
    if (later_.size() < room + wanted) later_.resize(room + wanted);
    later_begin_ = later_end_ = room;
    while (later_end_ < room + wanted) {
      const std::size_t got = source_.read(later_.data() + later_end_, room + wanted - later_end_);
      if (got == 0) break;
      later_end_ += got;
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
}

std::string_view LineReader::ahead(std::size_t bytes) {
  begin_ = next_;
  length_ = 0;
  if (filled_ - next_ < bytes) swap_in();
  try {
    while (filled_ - next_ < bytes && !failure_) {
      const Index unread = remaining().value_or(std::numeric_limits<Index>::max() - 1);
      if (!fill(std::min(bytes, static_cast<std::size_t>(unread) + 1))) break;
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  const std::string_view text(buffer_.data() + next_, std::min(bytes, filled_ - next_));
  return text.substr(0, text.rfind('\n') + 1);
}

void LineReader::skip(std::size_t bytes, Index n_lines) {
  begin_ = next_ += bytes;
  length_ = 0;
  number_ = lines_ += n_lines;
}

void LineReader::check_mark() {
  while (filled_ < 3 && fill()) {
  }
  const std::string_view start(buffer_.data(), std::min<std::size_t>(filled_, 3));
  if (start == "\xEF\xBB\xBF") next_ = begin_ = 3;
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) {
    source_.refuse_at(0, "found text in UTF-16; expected UTF-8 (save the file as UTF-8)");
  }
  if (start.starts_with("\x1F\x8B")) {
    source_.refuse_at(0, "found gzip data; expected text (compressed files are called ….gz)");
  }
}

bool LineReader::find_end(std::size_t from) {
  for (;;) {
    const char* start = buffer_.data() + from;
    const void* found = filled_ > from ? std::memchr(start, '\n', filled_ - from) : nullptr;
    const std::size_t end =
        found != nullptr
            ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data())
            : filled_;
    if (static_cast<Index>(end - begin_) > max_line_bytes_) {
      throw Error(
          ErrorCode::input, where(),
          fmt::format("the line has more than {} bytes; expected shorter lines (max_line_bytes)",
                      max_line_bytes_));
    }
    if (found != nullptr) {
      length_ = end - begin_;
      if (end > from && buffer_[end - 1] == '\r') --length_;
      next_ = end + 1;
      return true;
    }
    const std::size_t done = filled_ - begin_;
    if (!fill()) {
      length_ = next_ = filled_;
      length_ -= begin_;
      return done > 0;
    }
    from = begin_ + done;
    // A '\r' that ended the last chunk is still looked at when its '\n' comes.
    if (from > begin_ && buffer_[from - 1] == '\r') --from;
  }
}

bool LineReader::next() {
  if (lines_ == 0) check_mark();
  begin_ = next_;
  number_ = lines_ + 1;
  if (!find_end(begin_)) return false;
  ++lines_;
  return true;
}

bool LineReader::extend() {
  const std::size_t kept = next_ - begin_;
  if (next_ >= filled_ && !fill()) return false;
  if (!find_end(begin_ + kept)) return false;
  ++lines_;
  return true;
}

std::optional<Index> LineReader::remaining() const {
  const std::optional<Index> unread = source_.remaining();
  if (!unread) return std::nullopt;
  return *unread + static_cast<Index>(filled_ - next_ + later_end_ - later_begin_);
}

std::string LineReader::where(Index number) const {
  return fmt::format("{}:{}", source_.name(), number);
}

void LineReader::refuse(const std::string& message) const {
  throw Error(ErrorCode::input, where(), message);
}

Cell parse_value(std::string_view field, double& value) {
  std::string_view digits = field;
  const bool is_signed = !digits.empty() && (digits[0] == '+' || digits[0] == '-');
  if (is_signed && digits.size() > 1 && (digits[1] == '+' || digits[1] == '-')) return Cell::text;
  if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
  if (equal_nocase(field, "nan")) {
    value = std::numeric_limits<double>::quiet_NaN();
    return Cell::missing;
  }
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
    return Cell::text;
  if (error != std::errc() || static_cast<Index>(field.size()) > kMaxNumberBytes)
    return Cell::unreadable;
  if (std::isnan(value)) return Cell::text;  // signed, or with a payload: no notation of ours
  return std::isinf(value) ? Cell::infinite : Cell::number;
}

std::string describe_bad_value(Cell cell, std::string_view field) {
  const std::string found = printable(field, 60);
  if (cell == Cell::infinite) {
    return fmt::format("found the infinite value '{}'; expected finite numbers, or NaN for missing",
                       found);
  }
  if (cell == Cell::unreadable) {
    return fmt::format(
        "found '{}', which is out of range or has more than {} characters; expected a number "
        "that fits double precision",
        found, kMaxNumberBytes);
  }
  return fmt::format("found '{}'; expected a number (a point as decimal mark, no unit)", found);
}

void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t at = 0;
  while (at < line.size()) {
    if (line[at] == ' ') {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && line[end] != ' ') ++end;
    fields.push_back(line.substr(at, end - at));
    at = end;
  }
}

void check_label(std::string_view label, const std::string& where, bool allow_line_ends) {
  const auto refuse = [&](const std::string& message) {
    throw Error(ErrorCode::input, where,
                fmt::format("the label '{}' {}", printable(label, 60), message));
  };
  if (static_cast<Index>(label.size()) > kMaxLabelBytes) {
    refuse(fmt::format("has {} bytes; expected at most {}", label.size(), kMaxLabelBytes));
  }
  if (const auto bad = invalid_utf8(label)) {
    refuse(fmt::format("is not valid UTF-8 at its byte {}; expected text in UTF-8", *bad));
  }
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto c = static_cast<unsigned char>(label[i]);
    const bool is_c1 = c == 0xC2 && static_cast<unsigned char>(label[i + 1]) < 0xA0;
    const bool is_line_end =
        c == '\n' || (c == '\r' && i + 1 < label.size() && label[i + 1] == '\n');
    if ((c < 0x20 && !(allow_line_ends && is_line_end)) || c == 0x7F || is_c1) {
      refuse(fmt::format("has the control character {:#04x} at its byte {}; expected text", c, i));
    }
  }
}

void check_distinct(const std::vector<std::string>& labels, const std::string& where,
                    const char* what) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto [first, is_new] = seen.emplace(labels[i], i);
    if (is_new) continue;
    throw Error(ErrorCode::input, where,
                fmt::format("{} {} and {} have the same label '{}'; expected different ones", what,
                            first->second + 1, i + 1, printable(labels[i], 60)));
  }
}

}  // namespace gingham
