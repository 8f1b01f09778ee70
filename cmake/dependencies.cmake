# Every dependency is a Debian 12 package with one purpose; docs/decisions/0005-dependencies.md says why each. Everything but glibc
# is linked statically, so that two files are the installation (docs/decisions/0028-two-files.md).
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)

# add_archive(TARGET HEADER NAME…): libNAME.a in the order of linking, and the folder that HEADER is in.
function(add_archive target header)
  find_path(${target}_HEADERS ${header} REQUIRED)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_HEADERS})
  foreach(name ${ARGN})
    find_library(${target}_${name} NAMES lib${name}.a REQUIRED)
    target_link_libraries(${target} INTERFACE ${${target}_${name}})
  endforeach()
endfunction()

add_archive(airlock_md sha2.h md)
add_archive(airlock_nettle nettle/eddsa.h hogweed nettle gmp)
add_archive(airlock_seccomp seccomp.h seccomp)
add_archive(airlock_utf8proc utf8proc.h utf8proc)
add_archive(airlock_yaml yaml-cpp/yaml.h yaml-cpp)
add_archive(airlock_curses ncurses.h ncursesw tinfo)
add_archive(airlock_expat expat.h expat)
add_archive(airlock_zlib zlib.h z)
add_archive(airlock_re2 re2/re2.h re2)
target_link_libraries(airlock_re2 INTERFACE Threads::Threads)
add_archive(airlock_sqlite sqlite3.h sqlite3)
target_link_libraries(airlock_sqlite INTERFACE Threads::Threads m dl)

# Headers alone, for one file (docs/decisions/0037-http.md).
find_path(BOOST_HEADERS boost/beast/http/basic_parser.hpp REQUIRED)

# Of these two Debian has shared libraries and headers; the headers hold the whole library, which is compiled once.
find_path(FMT_HEADERS fmt/format-inl.h REQUIRED)
add_library(airlock_fmt STATIC ${CMAKE_SOURCE_DIR}/cmake/archives/fmt.cc)
target_include_directories(airlock_fmt SYSTEM PUBLIC ${FMT_HEADERS})
find_path(TOML_HEADERS toml++/toml.h REQUIRED)
add_library(airlock_toml STATIC ${CMAKE_SOURCE_DIR}/cmake/archives/toml.cc)
target_include_directories(airlock_toml SYSTEM PUBLIC ${TOML_HEADERS})
# Without its own assertions in every build, as Debian builds it: one of them takes a text that is wrong for a bug.
target_compile_definitions(airlock_toml PUBLIC TOML_HEADER_ONLY=0 PRIVATE NDEBUG)

# simdjson is in Debian as a shared library and a header that only declares it, so it is compiled from Debian's source package. That
# is fetched once by scripts/setup, into a folder that all clones of a user share.
file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/archives/simdjson.source SIMDJSON_SOURCE REGEX "^[0-9a-f]+  ")
string(REGEX MATCH "^[0-9a-f]+" SIMDJSON_HASH ${SIMDJSON_SOURCE})
string(REGEX MATCH "[^/]+$" SIMDJSON_FILE ${SIMDJSON_SOURCE})
set(SIMDJSON_FOLDER ${CMAKE_BINARY_DIR}/generated/simdjson-${SIMDJSON_HASH})
if(NOT EXISTS ${SIMDJSON_FOLDER})
  set(SOURCES_FOLDER $ENV{HOME}/.cache)
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(SOURCES_FOLDER $ENV{XDG_CACHE_HOME})
  endif()
  set(SIMDJSON_FILE ${SOURCES_FOLDER}/airlock/${SIMDJSON_FILE})
  if(NOT EXISTS ${SIMDJSON_FILE})
    message(FATAL_ERROR "${SIMDJSON_FILE} is not there: run scripts/setup, which fetches it")
  endif()
  file(SHA256 ${SIMDJSON_FILE} found)
  if(NOT found STREQUAL SIMDJSON_HASH)
    message(FATAL_ERROR "${SIMDJSON_FILE} is not what it should be (SHA-256 ${found}): run scripts/setup, which fetches it again")
  endif()
  file(ARCHIVE_EXTRACT INPUT ${SIMDJSON_FILE} DESTINATION ${SIMDJSON_FOLDER}.part PATTERNS "*/singleheader/simdjson.*")
  file(RENAME ${SIMDJSON_FOLDER}.part ${SIMDJSON_FOLDER})
endif()
file(GLOB SIMDJSON_AMALGAMATION ${SIMDJSON_FOLDER}/*/singleheader)
add_library(airlock_simdjson STATIC ${SIMDJSON_AMALGAMATION}/simdjson.cpp)
target_include_directories(airlock_simdjson SYSTEM PUBLIC ${SIMDJSON_AMALGAMATION})

foreach(library airlock_fmt airlock_toml airlock_simdjson)
  target_link_libraries(${library} PRIVATE airlock_hardening)
endforeach()

# CPython, linked statically: only the static library lets us call the parser that the interpreter itself uses
# (_PyParser_ASTFromString); the shared one hides it.
find_program(AIRLOCK_PYTHON NAMES python3.11 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
execute_process(COMMAND ${AIRLOCK_PYTHON} -c "import sysconfig; print(sysconfig.get_config_var('LIBPL'))"
                OUTPUT_VARIABLE PYTHON_LIBPL OUTPUT_STRIP_TRAILING_WHITESPACE)
find_library(PYTHON_STATIC NAMES libpython3.11.a PATHS ${PYTHON_LIBPL} NO_DEFAULT_PATH REQUIRED)
add_library(airlock_cpython INTERFACE)
target_include_directories(airlock_cpython SYSTEM INTERFACE /usr/include/python3.11)
target_link_libraries(airlock_cpython INTERFACE ${PYTHON_STATIC} airlock_expat airlock_zlib m dl util)
# Names are bound at the start: what a zygote has bound, no cell has to look up again. Shared objects see CPython's names and no
# other of ours: one that brings zlib, expat or libstdc++ along would call into our copy of it.
target_link_options(airlock_cpython INTERFACE -no-pie -Wl,-z,now -Wl,--dynamic-list=${CMAKE_SOURCE_DIR}/cmake/python_names.txt)
