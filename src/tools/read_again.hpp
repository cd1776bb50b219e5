// The data of a stored result, read the way they were read for the fit.
#pragma once
#include <string>
#include <vector>

#include "gingham/io/result_json.hpp"

namespace gingham {

// From where the result says, or from `inputs` where they have moved; then as many files as the
// result was made from, else Error{usage}. Throws Error{input} for what cannot be read; files of
// names that are gone cost the names alone, for no number depends on them.
Dataset read_data_again(const StoredResult& stored, const std::vector<std::string>& inputs = {});

}  // namespace gingham
