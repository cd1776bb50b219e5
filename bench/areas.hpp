#pragma once
#include "table.hpp"

namespace gingham::bench {

void all_areas(Table& table);

}  // namespace gingham::bench
