# The standard library that airlock-host carries (src/python/frozen_library.h): a table, and the bytes that it points into. Made again
# when the Python changes, which its program and its library do together.
set(FROZEN_TABLE ${CMAKE_BINARY_DIR}/generated/frozen_library.cc)
set(FROZEN_BYTES ${CMAKE_BINARY_DIR}/generated/frozen_library.bin)
add_custom_command(
  OUTPUT ${FROZEN_TABLE} ${FROZEN_BYTES}
  COMMAND ${CMAKE_COMMAND} -E env PYTHONHASHSEED=0 ${AIRLOCK_PYTHON} -S -W ignore ${CMAKE_SOURCE_DIR}/tools/freeze_library.py
    --bytes ${FROZEN_BYTES} --table ${FROZEN_TABLE}
  DEPENDS ${CMAKE_SOURCE_DIR}/tools/freeze_library.py ${AIRLOCK_PYTHON} ${PYTHON_STATIC}
  VERBATIM)
# The assembler reads the bytes; no scanner of dependencies sees that.
set_source_files_properties(${FROZEN_TABLE} PROPERTIES OBJECT_DEPENDS ${FROZEN_BYTES})
