# The names of the standard library that airlock-host carries, for those who read policies (src/engine/policy/library_names.h).
set(LIBRARY_NAMES ${CMAKE_BINARY_DIR}/generated/library_names.cc)
add_custom_command(
  OUTPUT ${LIBRARY_NAMES}
  COMMAND ${CMAKE_COMMAND} -E env PYTHONHASHSEED=0 ${AIRLOCK_PYTHON} -S -W ignore ${CMAKE_SOURCE_DIR}/tools/name_library.py
    --table ${LIBRARY_NAMES}
  DEPENDS ${CMAKE_SOURCE_DIR}/tools/name_library.py ${CMAKE_SOURCE_DIR}/tools/freeze_library.py ${AIRLOCK_PYTHON} ${PYTHON_STATIC}
  VERBATIM)
