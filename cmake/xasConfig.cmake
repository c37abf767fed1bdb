# SPDX-License-Identifier: Apache-2.0
# find_package(xas): the target xas::xas.
include(CMakeFindDependencyMacro)
find_dependency(ZLIB)
include(${CMAKE_CURRENT_LIST_DIR}/xasTargets.cmake)
# A project in C need not know C++: the static library names the C++ library that it needs.
foreach(xas_library xas::xas xas::xas_static xas::xas_fmt)
  if(TARGET ${xas_library})
    get_target_property(xas_configurations ${xas_library} IMPORTED_CONFIGURATIONS)
    foreach(xas_configuration ${xas_configurations})
      set_target_properties(${xas_library} PROPERTIES IMPORTED_LINK_INTERFACE_LANGUAGES_${xas_configuration} C)
    endforeach()
  endif()
endforeach()
