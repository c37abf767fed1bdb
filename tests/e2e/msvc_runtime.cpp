// SPDX-License-Identifier: Apache-2.0
// What clang's objects for Microsoft's environment need beside the DLLs of Visual C++'s runtime, for windows_cxx.sh.
using size = decltype(sizeof 0);

extern "C" {
[[noreturn]] void exit(int);
void* malloc(size);
void free(void*);
int main();

int _fltused;
void* type_info_table[2] __asm__("??_7type_info@@6B@");
#ifdef __i386__
__asm__(".globl __except_list\n__except_list = 0");
#endif

#pragma section(".CRT$XCA", read)
#pragma section(".CRT$XCZ", read)
typedef void (*Initializer)();
__declspec(allocate(".CRT$XCA")) Initializer first_initializer = nullptr;
__declspec(allocate(".CRT$XCZ")) Initializer last_initializer = nullptr;

int atexit(void (*)()) { return 0; }

void mainCRTStartup() {
  for (Initializer* i = &first_initializer; i != &last_initializer; ++i) {
    if (*i) (*i)();
  }
  exit(main());
}
}

void* operator new(size n) { return malloc(n); }
void operator delete(void* p) noexcept { free(p); }
void operator delete(void* p, size) noexcept { free(p); }
