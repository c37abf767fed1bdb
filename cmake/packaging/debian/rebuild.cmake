# SPDX-License-Identifier: Apache-2.0
# Run by cpack when it has made its packages: those for Debian are put together anew by dpkg-deb, which gives the parts of a
# package the same permissions whoever makes it.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
foreach(package ${CPACK_PACKAGE_FILES})
  set(folder ${package}.folder)
  file(REMOVE_RECURSE ${folder})
  execute_process(COMMAND dpkg-deb --raw-extract ${package} ${folder} COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD ${folder}/DEBIAN PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
       WORLD_EXECUTE)
  execute_process(COMMAND dpkg-deb --root-owner-group -Zxz --build ${folder} ${package} OUTPUT_QUIET
                  COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE ${folder})
endforeach()
