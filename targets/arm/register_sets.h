// SPDX-License-Identifier: Apache-2.0
// The names of the ARM registers; other names of some of them are registers.cpp's.
#pragma once

#include "targets/arm/row.h"
#include "targets/register_sets.h"

namespace xas::arm {

inline constexpr RegisterSet register_sets[] = {
    {"r", "", atom_low, 0, 12},
    {"sp", "", atom_low, 13, 13, 1, false},
    {"lr", "", atom_low, 14, 14, 1, false},
    {"pc", "", atom_low, 15, 15, 1, false},
    {"s", "", atom_s, 0, 31},
    {"d", "", atom_d, 0, 31},
    {"q", "", atom_q, 0, 15, 2},
    {"p", "", atom_coprocessor, 0, 15},
    {"c", "", atom_coprocessor_register, 0, 15},
};

}  // namespace xas::arm
