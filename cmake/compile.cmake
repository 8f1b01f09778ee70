# How everything of ours is compiled: warnings, hardening, sanitizers, ccache.
find_program(CCACHE ccache)
if(CCACHE)
  # Paths relative to the source: a second clone finds what the first one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

add_library(airlock_options INTERFACE)
target_include_directories(airlock_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_definitions(airlock_options INTERFACE AIRLOCK_VERSION="${PROJECT_VERSION}")
target_compile_options(airlock_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wcast-align -Wconversion -Wno-sign-conversion -Wimplicit-fallthrough
  -Wmissing-field-initializers
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual>
  # g++ 12 sees overlapping copies in its own std::string (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(AIRLOCK_UNITY)  # a type of a .cc looks like one of a header there
  target_compile_options(airlock_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()
if(AIRLOCK_WERROR)
  target_compile_options(airlock_options INTERFACE -Werror)
endif()
add_library(airlock_hardening INTERFACE)  # of what is foreign and compiled here, too
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(airlock_hardening INTERFACE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
endif()
target_link_libraries(airlock_options INTERFACE airlock_hardening)
if(AIRLOCK_SANITIZE)
  # The check of dynamic types asks the kernel through a pipe whether memory is there, which ends a process behind our walls.
  target_compile_options(airlock_options INTERFACE -fsanitize=${AIRLOCK_SANITIZE} -fno-sanitize=vptr -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  # Sanitized, g++ 12 no longer sees that std::expected holds either the one or the other.
  target_compile_options(airlock_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(airlock_options INTERFACE -fsanitize=${AIRLOCK_SANITIZE})
else()  # a sanitizer's library brings the shared ones along, and watches only those
  target_link_options(airlock_options INTERFACE -static-libstdc++ -static-libgcc)
  # What the loader has bound is read-only before the first foreign byte is read.
  target_link_options(airlock_options INTERFACE -Wl,-z,now,-z,pack-relative-relocs)
endif()
