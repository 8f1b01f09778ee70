// Text that the standard library makes into code while guest code runs: dataclasses and named
// tuples write their methods as text, and typing compiles annotations that are text. Each gets a
// function of its own in place of exec, eval and compile, which takes the one form of text that
// this module writes: names of the guest's choosing stand in it, and must be names.
// They are installed by python/remove_ungranted.cc, in the globals of each module.
#pragma once

#include "python/tree.h"

namespace airlock::python {

// In place of `exec` in dataclasses: a function that makes one method of a record.
extern PyMethodDef kMakeRecordMethod;
// In place of `eval` in collections: the __new__ of a named tuple.
extern PyMethodDef kMakeTupleConstructor;
// In place of `compile` in typing: says whether the text is an expression, and makes no code of it.
extern PyMethodDef kCheckAnnotation;
// In place of `eval` in typing: annotations that are text stay text.
extern PyMethodDef kRefuseAnnotation;

// Whether one of them is with the parser right now, which announces itself as every compilation
// does.
bool is_reading_library_text();

}  // namespace airlock::python
