// What is reported of a dictionary and its codes.
#pragma once
#include "gingham/engine/model.hpp"
#include "gingham/methods/sparse_coding/evaluate.hpp"

namespace gingham::methods::sparse_coding {

// Arrays dictionary (length x atoms), codes (samples x atoms) and usage (samples per atom); every
// sample with its strongest atom; per atom the mean |z| as weight, and sum_i z_ij^2 |d_j|^2
// relative to the samples' squares as explained. `atoms`: one per row.
Model make_model(const Samples& samples, const Chunks& chunks, const Matrix& atoms,
                 const Evaluation& evaluation, const CodesOfChunk& codes_of);

// Codes as a sparse matrix of n_atoms columns.
SparseMatrix code_matrix(const Chunks& chunks, Index n_atoms, const CodesOfChunk& codes_of);
// Every sample with its strongest atom, the lowest where several are as strong.
Membership strongest_atoms(const char* mode, const SparseMatrix& codes);

std::string dropped_note(Index n_dropped, Index n_samples);

// One atom per row, one per column.
Matrix as_rows(const Matrix& dictionary);
inline Matrix as_columns(const Matrix& atoms) { return as_rows(atoms); }

}  // namespace gingham::methods::sparse_coding
