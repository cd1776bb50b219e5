// JPEG by libjpeg. It reports errors by a jump out of its own frames into ours: the functions that
// call setjmp own nothing that would have to be destroyed, and nothing throws between.
#include <fmt/format.h>

#include <csetjmp>
#include <cstdio>

#include "annotate/image_formats.hpp"

extern "C" {
#include <jerror.h>
#include <jpeglib.h>
}

namespace gingham::annotate {
namespace {

constexpr int kMaxScans = 500;  // a progressive file may ask for any number of passes
// A block of 8 x 8 pixels takes at least one bit.
constexpr Index kMaxPixelsPerByte = 512;

struct State {
  jpeg_decompress_struct control;
  jpeg_error_mgr errors;
  jpeg_progress_mgr progress;
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

State& state_of(j_common_ptr control) { return *static_cast<State*>(control->client_data); }

extern "C" {

[[noreturn]] void on_error(j_common_ptr control) {
  State& state = state_of(control);
  control->err->format_message(control, state.message);
  std::longjmp(state.back, 1);
}

// Warnings (negative levels) mean that pixels are made up; but for bytes between two segments,
// which many cameras leave there.
void on_message(j_common_ptr control, int level) {
  if (level < 0 && control->err->msg_code != JWRN_EXTRANEOUS_DATA) on_error(control);
}

void on_progress(j_common_ptr control) {
  State& state = state_of(control);
  if (state.control.input_scan_number <= kMaxScans) return;
  std::snprintf(state.message, sizeof state.message, "it has more than %d scans", kMaxScans);
  std::longjmp(state.back, 1);
}

}  // extern "C"

bool begin(State& state, const unsigned char* bytes, unsigned long size) {
  if (setjmp(state.back) != 0) return false;
  jpeg_create_decompress(&state.control);
  state.control.client_data = &state;
  state.control.progress = &state.progress;
  jpeg_mem_src(&state.control, bytes, size);
  jpeg_read_header(&state.control, TRUE);
  return true;
}

bool decode(State& state, std::uint8_t* out) {
  if (setjmp(state.back) != 0) return false;
  state.control.out_color_space = JCS_GRAYSCALE;
  state.control.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&state.control);
  while (state.control.output_scanline < state.control.output_height) {
    JSAMPROW row =
        out + static_cast<std::size_t>(state.control.output_scanline) * state.control.output_width;
    jpeg_read_scanlines(&state.control, &row, 1);
  }
  jpeg_finish_decompress(&state.control);
  return true;
}

struct Decoder {
  State state = {};
  Decoder() {
    state.control.err = jpeg_std_error(&state.errors);
    state.control.client_data = &state;
    state.errors.error_exit = on_error;
    state.errors.emit_message = on_message;
    state.progress.progress_monitor = on_progress;
  }
  ~Decoder() { jpeg_destroy_decompress(&state.control); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
};

}  // namespace

Image decode_jpeg(const ImageFile& file) {
  Decoder decoder;
  State& state = decoder.state;
  if (!begin(state, reinterpret_cast<const unsigned char*>(file.bytes.data()), file.bytes.size()))
    file.refuse(fmt::format("is damaged: {}", state.message));
  Image image{.height = state.control.image_height, .width = state.control.image_width};
  file.check_size(image.height, image.width);
  const J_COLOR_SPACE colours = state.control.jpeg_color_space;
  if (colours != JCS_GRAYSCALE && colours != JCS_YCbCr && colours != JCS_RGB)
    file.refuse("has the colours of a printer (CMYK); expected grey, YCbCr or RGB");
  if (state.control.arith_code != 0)
    file.refuse("is packed by arithmetic coding; expected Huffman coding, as usual");
  if (image.height * image.width / kMaxPixelsPerByte > file.size())
    file.refuse(fmt::format("claims {} x {} pixels in {} bytes; the file is cut off", image.height,
                            image.width, file.size()));
  image.pixels.resize(static_cast<std::size_t>(image.height * image.width));
  if (!decode(state, image.pixels.data()))
    file.refuse(fmt::format("is damaged: {}", state.message));
  return image;
}

}  // namespace gingham::annotate
