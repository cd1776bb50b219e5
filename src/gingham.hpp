// The whole library in one header.
//
//   gingham::Dataset data(gingham::read_block("table.csv"));
//   gingham::Result result = gingham::run("ssvd", data, {{"clusters", 3}});
//   const gingham::Matrix& u = result.matrix("u");
#pragma once
#include "gingham/base/error.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/base/version.hpp"
#include "gingham/data/dataset.hpp"
#include "gingham/engine/observer.hpp"
#include "gingham/engine/result.hpp"
#include "gingham/engine/run.hpp"
#include "gingham/io/attached.hpp"
#include "gingham/io/read_dataset.hpp"
#include "gingham/io/write.hpp"
