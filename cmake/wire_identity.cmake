# What airlock and airlock-host say to each other, as one number: two files of different builds know that they are (src/wire/identity.h).
file(GLOB WIRE_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/wire/*.h ${CMAKE_SOURCE_DIR}/src/wire/*.cc ${CMAKE_SOURCE_DIR}/src/model/*.h
  ${CMAKE_SOURCE_DIR}/src/os/shared_notes.*)
list(FILTER WIRE_FILES EXCLUDE REGEX "_test\\.cc$")
set(WIRE_IDENTITY ${CMAKE_BINARY_DIR}/generated/wire_identity.cc)
add_custom_command(
  OUTPUT ${WIRE_IDENTITY}
  COMMAND ${AIRLOCK_PYTHON} ${CMAKE_SOURCE_DIR}/tools/identify_wire.py ${WIRE_IDENTITY} ${WIRE_FILES}
  DEPENDS ${CMAKE_SOURCE_DIR}/tools/identify_wire.py ${WIRE_FILES}
  VERBATIM)
