// What the server offers, as an OpenAPI 3.1 document: for people and for generators of clients. The
// schemas are those of the agents' tools (present/mcp/tool_schemas.h): the same bodies, the same
// answers. A test holds real answers against it, and the table of routes, too.
#pragma once

#include <string>

namespace airlock::http {

std::string openapi_json();

}  // namespace airlock::http
