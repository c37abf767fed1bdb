# SPDX-License-Identifier: Apache-2.0
# What is installed beside programs and library: licence, documentation, manual pages, completion.

# Pages and packages have the time of the newest commit, unless SOURCE_DATE_EPOCH says otherwise.
set(given "$ENV{SOURCE_DATE_EPOCH}")
set(XAS_EPOCH ${given})
if(NOT XAS_EPOCH)
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE XAS_EPOCH
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE XAS_NO_GIT)
  if(XAS_NO_GIT)
    set(XAS_EPOCH 1735689600)  # the first of January 2025
  endif()
endif()
set(ENV{SOURCE_DATE_EPOCH} ${XAS_EPOCH})
string(TIMESTAMP XAS_DATE "%Y-%m-%d" UTC)
if(given)
  set(ENV{SOURCE_DATE_EPOCH} "${given}")
else()
  unset(ENV{SOURCE_DATE_EPOCH})  # compilers refuse an empty one
endif()

if(NOT PROJECT_IS_TOP_LEVEL)  # DOCDIR is the other project's
  set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/xas)
  set(CMAKE_INSTALL_FULL_DOCDIR ${CMAKE_INSTALL_FULL_DATAROOTDIR}/doc/xas)
endif()
file(RELATIVE_PATH XAS_HEADERS ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
set(XAS_DOCUMENTS ${PROJECT_BINARY_DIR}/documents)
install(CODE "set(SOURCE \"${PROJECT_SOURCE_DIR}\")
  set(FOLDER \"${XAS_DOCUMENTS}\")
  set(HEADERS \"${XAS_HEADERS}\")" COMPONENT program)
install(SCRIPT cmake/packaging/pages.cmake COMPONENT program)
install(DIRECTORY ${XAS_DOCUMENTS}/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
        PATTERN *.sh PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(FILES cmake/packaging/_xas DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
# bash and fish look for a file by the program's name.
foreach(program xas xas-dump xas-corpus xas-lsp)
  install(FILES cmake/packaging/xas.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME ${program} COMPONENT program)
  install(FILES cmake/packaging/xas.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          RENAME ${program}.fish COMPONENT program)
endforeach()

# The pages are made of what the programs say with --help, so the programs have to run here.
find_program(XAS_AWK NAMES awk)
if(XAS_AWK AND UNIX AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
  # xas_manual(<target> <program> <what>): the page of a program
  function(xas_manual target program what)
    set(page ${PROJECT_BINARY_DIR}/${program}.1)
    set(manual ${PROJECT_SOURCE_DIR}/cmake/packaging/manual.awk)
    add_custom_command(
      OUTPUT ${page}
      COMMAND ${target} --help > ${page}.txt
      COMMAND ${XAS_AWK} -v name=${program} -v version=${PROJECT_VERSION} -v date=${XAS_DATE} -v what=${what} -f ${manual}
              ${page}.txt > ${page}
      DEPENDS ${target} ${manual}
      VERBATIM)
    add_custom_target(${program}-manual ALL DEPENDS ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  endfunction()
  xas_manual(xas-program xas "an assembler for x86, AArch64 and ARM")
  xas_manual(xas-dump xas-dump "print metadata of LLVM in objects and images")
  xas_manual(xas-corpus xas-corpus "test data for assemblers and readers of objects")
  if(TARGET xas-lsp)
    xas_manual(xas-lsp xas-lsp "a language server for assembly")
  endif()
endif()
