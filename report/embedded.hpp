// The built files of bundle/, as they are, and their SHA-256 in hexadecimal.
#pragma once

namespace gingham::report {

const char* script();
const char* script_sha256();
const char* style_sheet();
const char* style_sha256();

}  // namespace gingham::report
