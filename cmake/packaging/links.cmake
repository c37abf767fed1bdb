# SPDX-License-Identifier: Apache-2.0
# lib/xas/bin: xas under the names by which compilers and build systems call assemblers. The name says the target.
set(XAS_TOOL_TARGETS
    x86_64-linux-gnu x86_64-linux-gnux32 i686-linux-gnu aarch64-linux-gnu arm-linux-gnueabi arm-linux-gnueabihf
    aarch64-none-elf arm-none-eabi x86_64-w64-mingw32 i686-w64-mingw32 aarch64-w64-mingw32 armv7-w64-mingw32)
set(XAS_LINKS ${PROJECT_BINARY_DIR}/links)
file(REMOVE_RECURSE ${XAS_LINKS})
file(MAKE_DIRECTORY ${XAS_LINKS})
file(RELATIVE_PATH XAS_LINKED /usr/lib/xas/bin /usr/${CMAKE_INSTALL_BINDIR}/xas)
file(CREATE_LINK ${XAS_LINKED} ${XAS_LINKS}/as SYMBOLIC)
foreach(target ${XAS_TOOL_TARGETS})
  file(CREATE_LINK ${XAS_LINKED} ${XAS_LINKS}/${target}-as SYMBOLIC)
endforeach()
install(DIRECTORY ${XAS_LINKS}/ DESTINATION lib/xas/bin COMPONENT links)
