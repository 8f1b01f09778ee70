# The built-in policies are TOML (policies/*.toml), reviewed as data; a script turns them into C++ tables at build time,
# so that starting up parses nothing.
set(POLICY_FILES ${CMAKE_SOURCE_DIR}/policies/extractor.toml ${CMAKE_SOURCE_DIR}/policies/node.toml
  ${CMAKE_SOURCE_DIR}/policies/probe.toml)
set(POLICY_SOURCE ${CMAKE_BINARY_DIR}/generated/builtin_policies.cc)
add_custom_command(
  OUTPUT ${POLICY_SOURCE}
  COMMAND ${AIRLOCK_PYTHON} ${CMAKE_SOURCE_DIR}/tools/embed_policies.py --output ${POLICY_SOURCE} ${POLICY_FILES}
  DEPENDS ${CMAKE_SOURCE_DIR}/tools/embed_policies.py ${POLICY_FILES}
  VERBATIM)
