// toml++ itself, compiled once; everywhere else its headers only declare it.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
