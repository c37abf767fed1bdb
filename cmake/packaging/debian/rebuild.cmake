# SPDX-License-Identifier: Apache-2.0
# Run by cpack when it has made its packages: those for Debian are put together anew by dpkg-deb, which gives the parts of a
# package the same permissions whoever makes it. CPack does not know the field Multi-Arch.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
foreach(package ${CPACK_PACKAGE_FILES})
  set(folder ${package}.folder)
  file(REMOVE_RECURSE ${folder})
  execute_process(COMMAND dpkg-deb --raw-extract ${package} ${folder} COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${folder}/DEBIAN/control control)
  file(GLOB libraries ${folder}/usr/lib/*/libxas.*)
  if(libraries)
    string(PREPEND control "Multi-Arch: same\n")
  elseif(NOT control MATCHES "\nPackage: libxas")
    string(PREPEND control "Multi-Arch: foreign\n")
  endif()
  file(WRITE ${folder}/DEBIAN/control "${control}")
  file(CHMOD ${folder}/DEBIAN PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
       WORLD_EXECUTE)
  execute_process(COMMAND dpkg-deb --root-owner-group -Zxz --build ${folder} ${package} OUTPUT_QUIET
                  COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE ${folder})
endforeach()
