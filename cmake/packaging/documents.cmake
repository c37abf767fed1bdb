# SPDX-License-Identifier: Apache-2.0
# What is installed beside programs and library: licence, documentation, manual pages, completion.
# The installed README.md does not tell how to build, and refers to nothing that is in the source alone.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md)
file(READ README.md readme)
foreach(chapter "## Quick start" "## Building and packages")
  string(FIND "${readme}" "${chapter}" begin)
  string(SUBSTRING "${readme}" 0 ${begin} before)
  string(SUBSTRING "${readme}" ${begin} -1 after)
  string(REGEX REPLACE "^## [^\n]*\n" "" after "${after}")
  string(REGEX MATCH "\n(## |Licence: )" end "${after}")
  string(FIND "${after}" "${end}" begin)
  string(SUBSTRING "${after}" ${begin} -1 after)
  string(STRIP "${after}" after)
  set(readme "${before}${after}\n")
endforeach()
string(REPLACE "$PWD/build/release/xas" "$(command -v xas)" readme "${readme}")
string(REGEX REPLACE "\\[([^]]+)\\]\\((tests/|include/|CONTRIBUTING)[^)]*\\)" "`\\1`" readme "${readme}")
file(WRITE ${PROJECT_BINARY_DIR}/documents/README.md "${readme}")
install(FILES LICENSE ${PROJECT_BINARY_DIR}/documents/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program PATTERN Doxyfile EXCLUDE)
install(FILES examples/README.md examples/assemble.c examples/calculator.cpp examples/tiny.cpp examples/toy_compiler.cpp
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT program)
install(FILES examples/python/xas.py DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/python COMPONENT program)
install(FILES cmake/packaging/xas.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME xas
        COMPONENT program)
install(FILES cmake/packaging/_xas DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES cmake/packaging/xas.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# The pages are made of what the programs say with --help, so the programs have to run here.
find_program(XAS_AWK NAMES awk)
if(XAS_AWK AND UNIX AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
  # xas_manual(<target> <program> <what> <more>): the page of a program
  function(xas_manual target program what more)
    set(page ${PROJECT_BINARY_DIR}/${program}.1)
    set(manual ${PROJECT_SOURCE_DIR}/cmake/packaging/manual.awk)
    add_custom_command(
      OUTPUT ${page}
      COMMAND ${target} --help > ${page}.txt
      COMMAND ${XAS_AWK} -v name=${program} -v version=${PROJECT_VERSION} -v what=${what} ${more} -f ${manual} ${page}.txt
              > ${page}
      DEPENDS ${target} ${manual}
      VERBATIM)
    add_custom_target(${program}-manual ALL DEPENDS ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  endfunction()
  xas_manual(xas-program xas "an assembler for x86, AArch64 and ARM" "")
  xas_manual(xas-dump xas-dump "print metadata of LLVM in objects and images" -vverbatim=1)
  xas_manual(xas-corpus xas-corpus "test data for assemblers and readers of objects" -vverbatim=1)
  if(TARGET xas-lsp)
    xas_manual(xas-lsp xas-lsp "a language server for assembly" -vverbatim=1)
  endif()
endif()
