// SPDX-License-Identifier: Apache-2.0
#include "sum.h"

#include <iostream>

int main() { std::cout << "2 * " << sum(100) << " = " << twice(sum(100)) << '\n'; }
