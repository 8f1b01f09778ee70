# The Python modules that code inside may import from airlock (library/airlock/*.py), as text inside airlock-host. The contract of probes is
# a module of the package too, so that editors know it, and its text is there alone.
file(GLOB LIBRARY_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/library/airlock/*.py)
list(APPEND LIBRARY_FILES ${CMAKE_SOURCE_DIR}/python/airlock/probe.py)
set(LIBRARY_SOURCE ${CMAKE_BINARY_DIR}/generated/library.cc)
add_custom_command(
  OUTPUT ${LIBRARY_SOURCE}
  COMMAND ${AIRLOCK_PYTHON} ${CMAKE_SOURCE_DIR}/tools/embed_library.py --output ${LIBRARY_SOURCE} ${LIBRARY_FILES}
  DEPENDS ${CMAKE_SOURCE_DIR}/tools/embed_library.py ${CMAKE_SOURCE_DIR}/tools/generated_source.py ${LIBRARY_FILES}
  VERBATIM)
