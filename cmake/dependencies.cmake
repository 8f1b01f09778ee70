# Every dependency is a Debian 12 package with one purpose; docs/decisions/0005-dependencies.md says why each.
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(MD REQUIRED IMPORTED_TARGET libmd)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(TOMLPP REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(SIMDJSON REQUIRED IMPORTED_TARGET simdjson)
# RE2 is linked statically: only commands that look for patterns need it, and none should wait for it to be loaded.
find_path(RE2_INCLUDE re2/re2.h REQUIRED)
find_library(RE2_STATIC NAMES libre2.a REQUIRED)
add_library(airlock_re2 INTERFACE)
target_include_directories(airlock_re2 SYSTEM INTERFACE ${RE2_INCLUDE})
target_link_libraries(airlock_re2 INTERFACE ${RE2_STATIC} Threads::Threads)

# yaml-cpp too, and for the same reason: only rules and flows are YAML.
find_path(YAML_INCLUDE yaml-cpp/yaml.h REQUIRED)
find_library(YAML_STATIC NAMES libyaml-cpp.a REQUIRED)
add_library(airlock_yaml INTERFACE)
target_include_directories(airlock_yaml SYSTEM INTERFACE ${YAML_INCLUDE})
target_link_libraries(airlock_yaml INTERFACE ${YAML_STATIC})

# ncurses with wide characters too: only the wizard has screens.
find_path(CURSES_INCLUDE ncurses.h REQUIRED)
find_library(CURSES_STATIC NAMES libncursesw.a REQUIRED)
find_library(TINFO_STATIC NAMES libtinfo.a REQUIRED)
add_library(airlock_curses INTERFACE)
target_include_directories(airlock_curses SYSTEM INTERFACE ${CURSES_INCLUDE})
target_link_libraries(airlock_curses INTERFACE ${CURSES_STATIC} ${TINFO_STATIC})

# CPython, linked statically: only the static library lets us call the parser that the interpreter itself uses
# (_PyParser_ASTFromString); the shared one hides it.
find_program(AIRLOCK_PYTHON NAMES python3.11 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
execute_process(COMMAND ${AIRLOCK_PYTHON} -c "import sysconfig; print(sysconfig.get_config_var('LIBPL'))"
                OUTPUT_VARIABLE PYTHON_LIBPL OUTPUT_STRIP_TRAILING_WHITESPACE)
find_library(PYTHON_STATIC NAMES libpython3.11.a PATHS ${PYTHON_LIBPL} NO_DEFAULT_PATH REQUIRED)
add_library(airlock_cpython INTERFACE)
target_include_directories(airlock_cpython SYSTEM INTERFACE /usr/include/python3.11)
target_link_libraries(airlock_cpython INTERFACE ${PYTHON_STATIC} expat z m dl util)
# Names are bound at the start: what a zygote has bound, no cell has to look up again.
target_link_options(airlock_cpython INTERFACE -no-pie -Wl,-E,-z,now)
