# The built-in policies are TOML (policies/*.toml), reviewed as data. A program that is built first turns them into C++ tables, with
# the reader that airlock has, so that starting up parses nothing.
set(POLICY_FILES ${CMAKE_SOURCE_DIR}/policies/extractor.toml ${CMAKE_SOURCE_DIR}/policies/node.toml
  ${CMAKE_SOURCE_DIR}/policies/probe.toml)
set(POLICY_SOURCE ${CMAKE_BINARY_DIR}/generated/policy_rows.cc)
add_executable(embed_policies mains/embed_policies.cc)
target_link_libraries(embed_policies PRIVATE airlock_ground)
add_custom_command(
  OUTPUT ${POLICY_SOURCE}
  COMMAND embed_policies ${POLICY_SOURCE} ${POLICY_FILES}
  DEPENDS embed_policies ${POLICY_FILES}
  VERBATIM)
add_library(airlock_policies STATIC ${POLICY_SOURCE})
target_link_libraries(airlock_policies PRIVATE airlock_options)
