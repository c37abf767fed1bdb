// SPDX-License-Identifier: Apache-2.0
// The program that the other files make.
#include <cstdio>
#include <cstring>

int exceptions_main();
int linkage_main();
extern "C" int c_main(void);

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "--linkage") == 0) return linkage_main();
  int result = exceptions_main();
  result += linkage_main();
  result += c_main();
  std::printf("result %d\n", result);
  return result == 1 ? 0 : 1;
}
