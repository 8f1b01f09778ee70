# The style, the script and the sign of the review page (src/present/page/assets), inside of the program.
file(GLOB PAGE_ASSETS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/present/page/assets/*)
set(PAGE_ASSETS_SOURCE ${CMAKE_BINARY_DIR}/generated/page_assets.cc)
add_custom_command(
  OUTPUT ${PAGE_ASSETS_SOURCE}
  COMMAND ${AIRLOCK_PYTHON} ${CMAKE_SOURCE_DIR}/tools/embed_assets.py --output ${PAGE_ASSETS_SOURCE} ${PAGE_ASSETS}
  DEPENDS ${CMAKE_SOURCE_DIR}/tools/embed_assets.py ${CMAKE_SOURCE_DIR}/tools/generated_source.py ${PAGE_ASSETS}
  VERBATIM)
