# The Python side of code nodes (library/airlock_node/*.py): compiled inside airlock-host, and as one program inside airlock.
file(GLOB NODE_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/library/airlock_node/*.py)
set(NODE_MODULES_SOURCE ${CMAKE_BINARY_DIR}/generated/node_library.cc)
set(NODE_PROGRAM_SOURCE ${CMAKE_BINARY_DIR}/generated/node_program.cc)
add_custom_command(
  OUTPUT ${NODE_MODULES_SOURCE} ${NODE_PROGRAM_SOURCE}
  COMMAND ${AIRLOCK_PYTHON} ${CMAKE_SOURCE_DIR}/tools/embed_node.py --modules ${NODE_MODULES_SOURCE}
    --program ${NODE_PROGRAM_SOURCE} ${NODE_FILES}
  DEPENDS ${CMAKE_SOURCE_DIR}/tools/embed_node.py ${NODE_FILES}
  VERBATIM)
add_custom_target(node_library DEPENDS ${NODE_MODULES_SOURCE} ${NODE_PROGRAM_SOURCE})
