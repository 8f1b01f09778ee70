# How everything of ours is compiled: warnings, hardening, sanitizers, ccache.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(airlock_options INTERFACE)
target_include_directories(airlock_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_definitions(airlock_options INTERFACE AIRLOCK_VERSION="${PROJECT_VERSION}")
target_compile_options(airlock_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align -Woverloaded-virtual
  -Wconversion -Wno-sign-conversion -Wnull-dereference -Wimplicit-fallthrough -Wmissing-field-initializers)
if(AIRLOCK_WERROR)
  target_compile_options(airlock_options INTERFACE -Werror)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(airlock_options INTERFACE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
endif()
if(AIRLOCK_SANITIZE)
  target_compile_options(airlock_options INTERFACE -fsanitize=${AIRLOCK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(airlock_options INTERFACE -fsanitize=${AIRLOCK_SANITIZE})
endif()
