# The Python side of code nodes (library/airlock_node/*.py): compiled inside airlock-host.
file(GLOB NODE_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/library/airlock_node/*.py)
set(NODE_MODULES_SOURCE ${CMAKE_BINARY_DIR}/generated/node_library.cc)
add_custom_command(
  OUTPUT ${NODE_MODULES_SOURCE}
  COMMAND ${AIRLOCK_PYTHON} ${CMAKE_SOURCE_DIR}/tools/embed_modules.py --table node_modules --modules ${NODE_MODULES_SOURCE} ${NODE_FILES}
  DEPENDS ${CMAKE_SOURCE_DIR}/tools/embed_modules.py ${NODE_FILES}
  VERBATIM)

# And of sessions (library/airlock_session/*.py): compiled inside airlock-host.
file(GLOB SESSION_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/library/airlock_session/*.py)
set(SESSION_MODULES_SOURCE ${CMAKE_BINARY_DIR}/generated/session_library.cc)
add_custom_command(
  OUTPUT ${SESSION_MODULES_SOURCE}
  COMMAND ${AIRLOCK_PYTHON} ${CMAKE_SOURCE_DIR}/tools/embed_modules.py --table session_modules
    --modules ${SESSION_MODULES_SOURCE} ${SESSION_FILES}
  DEPENDS ${CMAKE_SOURCE_DIR}/tools/embed_modules.py ${SESSION_FILES}
  VERBATIM)
add_custom_target(node_library DEPENDS ${NODE_MODULES_SOURCE} ${SESSION_MODULES_SOURCE})
