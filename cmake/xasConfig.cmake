# find_package(xas): the target xas::xas.
include(CMakeFindDependencyMacro)
find_dependency(ZLIB)
include(${CMAKE_CURRENT_LIST_DIR}/xasTargets.cmake)
