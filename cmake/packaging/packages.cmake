# SPDX-License-Identifier: Apache-2.0
# Packages: in a build made by `cmake --preset package && cmake --build --preset package`, `cpack -G DEB` and
# `cpack -G RPM` make four of each.
#
#   program      xas: the programs, their manual pages, completions and documentation
#   runtime      libxas0: the shared library
#   development  libxas-dev, libxas-devel: headers, static libraries, and what finds them
#   links        xas-as: lib/xas/bin, with xas under the name of every target's `as`
set(XAS_MAINTAINER "The xas maintainers <xas@example.org>" CACHE STRING "whom the packages name; whoever distributes them")

set(CPACK_PACKAGE_NAME xas)
set(CPACK_PACKAGE_VENDOR xas)
set(CPACK_PACKAGE_CONTACT ${XAS_MAINTAINER})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_COMPONENTS_ALL program runtime development links)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_SOURCE_IGNORE_FILES /build/ /[.]git/)

set(XAS_COMPONENT_program_TEXT "xas reads the assembly that GCC and Clang write, for x86, AArch64 and ARM,
and makes the objects of GNU as or of llvm-mc: ELF, and COFF for Windows.
It takes the options of both, and is several times as fast.
.
xas-dump prints metadata of objects, xas-corpus makes test data for
assemblers, disassemblers, linkers and readers of objects.")
set(XAS_COMPONENT_runtime_TEXT "The assembler xas as a shared library, for programs that make code: text or
calls of functions in, and ELF or COFF objects, or bytes that run at once,
out. It prints nothing, never exits and has no global state.
.
Targets are x86, AArch64 and ARM.")
set(XAS_COMPONENT_development_TEXT "Headers for C and C++, the static libraries, and the files by which CMake and
pkg-config find them, for programs that use the assembler xas as a library.
.
A tutorial and the reference are among the documents of the package xas.")
set(XAS_COMPONENT_links_TEXT "A folder, /usr/lib/xas/bin, in which xas stands under the names of the
assemblers that compilers call: as, aarch64-linux-gnu-as and others.
.
Nothing changes for those who do not ask for it: with the folder in front of
the PATH, or by gcc -B/usr/lib/xas/bin.")

# xas_package(<component> <name for Debian> <name for RPM> <Debian's section> <summary>)
function(xas_package component deb rpm section summary)
  string(TOUPPER ${component} upper)
  set(text "${XAS_COMPONENT_${component}_TEXT}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${text}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${deb} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_RPM_${upper}_PACKAGE_NAME ${rpm} PARENT_SCOPE)
  set(CPACK_RPM_${upper}_PACKAGE_SUMMARY "${summary}" PARENT_SCOPE)
  string(REPLACE "\n.\n" "\n\n" text "${text}")
  set(CPACK_RPM_${upper}_PACKAGE_DESCRIPTION "${text}" PARENT_SCOPE)
  set(CPACK_RPM_${upper}_FILE_NAME RPM-DEFAULT PARENT_SCOPE)
endfunction()
xas_package(program xas xas devel "assembler that makes the objects of GNU as and llvm-mc")
xas_package(runtime libxas0 libxas0 libs "assembler as a library")
xas_package(development libxas-dev libxas-devel libdevel "assembler as a library: development files")
xas_package(links xas-as xas-as devel "links to xas under the names of other assemblers")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0.1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(XAS_DEBIAN_VERSION ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs "libxas 0 libxas0 (>= ${PROJECT_VERSION})\n")
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/shlibs ${PROJECT_BINARY_DIR}/debian/symbols
    ${PROJECT_BINARY_DIR}/debian/triggers)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libxas0 (= ${XAS_DEBIAN_VERSION}), zlib1g-dev, libzstd-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS xas)
set(CPACK_DEBIAN_LINKS_PACKAGE_DEPENDS "xas (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_LINKS_PACKAGE_ARCHITECTURE all)

set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_PACKAGE_LICENSE Apache-2.0)
set(CPACK_RPM_PACKAGE_GROUP Development/Tools)
set(CPACK_RPM_DEVELOPMENT_PACKAGE_REQUIRES "libxas0 = ${PROJECT_VERSION}, zlib-devel, libzstd-devel")
set(CPACK_RPM_LINKS_PACKAGE_REQUIRES "xas >= ${PROJECT_VERSION}")
set(CPACK_RPM_LINKS_PACKAGE_ARCHITECTURE noarch)
set(CPACK_RPM_RUNTIME_POST_INSTALL_SCRIPT_FILE ${PROJECT_SOURCE_DIR}/cmake/packaging/ldconfig.sh)
set(CPACK_RPM_RUNTIME_POST_UNINSTALL_SCRIPT_FILE ${PROJECT_SOURCE_DIR}/cmake/packaging/ldconfig.sh)
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/lib/cmake /usr/lib/pkgconfig /usr/share/licenses /usr/share/man
    /usr/share/man/man1)
set(CPACK_RPM_SPEC_MORE_DEFINE "%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global _buildhost xas
%global _build_id_links none")

set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/packages-epoch.cmake)
file(WRITE ${CPACK_PROJECT_CONFIG_FILE} "set(ENV{SOURCE_DATE_EPOCH} ${XAS_EPOCH})
if(NOT CPACK_GENERATOR MATCHES \"^(DEB|RPM)$\")  # an archive may be unpacked anywhere
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
endif()
")
# What Debian's rules ask for beyond what is installed elsewhere.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/debian.cmake)
configure_file(cmake/packaging/debian/debian.cmake.in debian.cmake @ONLY)
# What cpack makes holds the umask of who packages; what dpkg-deb makes of the same files does not.
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/packaging/debian/rebuild.cmake)
include(CPack)
