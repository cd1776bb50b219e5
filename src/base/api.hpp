// Marks what a program that uses the library may call; everything else is hidden in the shared
// library.
#pragma once

#define GINGHAM_API __attribute__((visibility("default")))
