// The whole library in one header.
#pragma once
#include "gingham/data/dataset.hpp"
