// The text is read as a tree and the tree is compared with what the library writes: nothing but
// parameters, assignments to fields, comparisons and the few calls that are listed. What a guest
// put into it in the place of a field's name either is a name or does not fit. The code sees no
// globals of any module, and four builtins.
#include "python/library_text.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "python/ref.h"
#include "python/sequence.h"

extern "C" {
// Declared in headers that do not compile as C++.
mod_ty _PyParser_ASTFromString(const char* text, PyObject* filename, int mode,
                               PyCompilerFlags* flags, PyArena* arena);
PyCodeObject* _PyAST_Compile(mod_ty module, PyObject* filename, PyCompilerFlags* flags,
                             int optimize, PyArena* arena);
PyArena* _PyArena_New(void);
void _PyArena_Free(PyArena* arena);
}

namespace airlock::python {

namespace {

// What the methods of records use of the builtins.
constexpr std::array kRecordBuiltins = {"hash", "super", "type", "NotImplemented"};

PyObject* file_name() {
  static PyObject* const name = PyUnicode_InternFromString("<string>");
  return name;
}

// One thread, no nesting: parsing runs no Python.
bool is_reading = false;

// The tree of `text`, as long as this lives; null with an exception set.
class ParsedText {
 public:
  ParsedText(PyObject* text, int mode) : arena_(_PyArena_New()) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &size) : nullptr;
    if (bytes == nullptr || arena_ == nullptr) {
      if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_TypeError, "source must be text");
      return;
    }
    // The parser takes a C string and would stop at the NUL, unseen by whoever compares the tree.
    if (std::strlen(bytes) != static_cast<std::size_t>(size)) {
      PyErr_SetString(PyExc_SyntaxError, "source code string cannot contain null bytes");
      return;
    }
    PyCompilerFlags flags = _PyCompilerFlags_INIT;
    // The text is UTF-8 already; a declaration of an encoding in it means nothing.
    flags.cf_flags = PyCF_IGNORE_COOKIE;
    is_reading = true;
    module_ = _PyParser_ASTFromString(bytes, file_name(), mode, &flags, arena_);
    is_reading = false;
  }
  ParsedText(const ParsedText&) = delete;
  ParsedText& operator=(const ParsedText&) = delete;
  ~ParsedText() {
    if (arena_ != nullptr) _PyArena_Free(arena_);
  }

  mod_ty module() const { return module_; }
  PyObject* compile() const {
    PyCompilerFlags flags = _PyCompilerFlags_INIT;
    return reinterpret_cast<PyObject*>(_PyAST_Compile(module_, file_name(), &flags, -1, arena_));
  }

 private:
  PyArena* arena_;
  mod_ty module_ = nullptr;
};

bool is_name(expr_ty node, const char* name) {
  return node != nullptr && node->kind == Name_kind &&
         PyUnicode_CompareWithASCIIString(node->v.Name.id, name) == 0;
}

bool is_plain_name(expr_ty node) {
  return node == nullptr || node->kind == Name_kind;
}

bool are_plain_names(asdl_expr_seq* nodes) {
  return std::ranges::all_of(items(nodes), is_plain_name);
}

// (self, a: _type_a, b: _type_b = _dflt_b, *, c: _type_c)
bool are_plain_parameters(arguments_ty given) {
  const auto is_plain = [](arg_ty one) { return is_plain_name(one->annotation); };
  return given->vararg == nullptr && given->kwarg == nullptr &&
         std::ranges::all_of(items(given->posonlyargs), is_plain) &&
         std::ranges::all_of(items(given->args), is_plain) &&
         std::ranges::all_of(items(given->kwonlyargs), is_plain) &&
         are_plain_names(given->defaults) && are_plain_names(given->kw_defaults);
}

// The calls in the methods that dataclasses writes. _dflt_x is the default factory of field x.
bool is_record_call(expr_ty callee) {
  if (callee->kind == Name_kind) {
    const std::string_view name = text_of(callee->v.Name.id);
    return name == "type" || name == "super" || name == "hash" || name == "FrozenInstanceError" ||
           name.starts_with("_dflt_");
  }
  if (callee->kind != Attribute_kind) return false;
  const std::string_view name = text_of(callee->v.Attribute.attr);
  return name == "__setattr__" || name == "__delattr__" || name == "__post_init__";
}

bool is_record_value(expr_ty node);

bool are_record_values(asdl_expr_seq* nodes) {
  return std::ranges::all_of(items(nodes), is_record_value);
}

// Attributes may have any name: what a field is called, the scan or the guest's own class has said.
bool is_record_value(expr_ty node) {
  if (node == nullptr) return true;
  const auto& v = node->v;
  switch (node->kind) {
    case Name_kind:
    case Constant_kind:
      return true;
    case Attribute_kind:
      return is_record_value(v.Attribute.value);
    case Tuple_kind:
      return are_record_values(v.Tuple.elts);
    case Compare_kind:
      return is_record_value(v.Compare.left) && are_record_values(v.Compare.comparators);
    case BoolOp_kind:
      return are_record_values(v.BoolOp.values);
    case BinOp_kind:
      return v.BinOp.op == Add && is_record_value(v.BinOp.left) && is_record_value(v.BinOp.right);
    case IfExp_kind:
      return is_record_value(v.IfExp.test) && is_record_value(v.IfExp.body) &&
             is_record_value(v.IfExp.orelse);
    case JoinedStr_kind:
      return are_record_values(v.JoinedStr.values);
    case FormattedValue_kind:
      return v.FormattedValue.format_spec == nullptr && is_record_value(v.FormattedValue.value);
    case Call_kind:
      return v.Call.keywords == nullptr && is_record_call(v.Call.func) &&
             is_record_value(v.Call.func) && are_record_values(v.Call.args);
    default:
      return false;
  }
}

// The statements in methods that dataclasses writes: __init__, __eq__, __lt__, __hash__, __repr__,
// and the two that refuse changes of a frozen record.
bool is_record_statement(stmt_ty node) {
  const auto& v = node->v;
  switch (node->kind) {
    case Pass_kind:
      return true;
    case Expr_kind:
      return is_record_value(v.Expr.value);
    case Assign_kind:
      return are_record_values(v.Assign.targets) && is_record_value(v.Assign.value);
    case If_kind:
      return is_record_value(v.If.test) &&
             std::ranges::all_of(items(v.If.body), is_record_statement) &&
             std::ranges::all_of(items(v.If.orelse), is_record_statement);
    case Raise_kind:
      return v.Raise.cause == nullptr && is_record_value(v.Raise.exc);
    case Return_kind:
      return is_record_value(v.Return.value);
    default:
      return false;
  }
}

bool is_plain_function(stmt_ty node) {
  if (node->kind != FunctionDef_kind) return false;
  const auto& function = node->v.FunctionDef;
  return function.decorator_list == nullptr && is_plain_name(function.returns) &&
         are_plain_parameters(function.args);
}

// def __create_fn__(…): def METHOD(…): …; return METHOD
bool is_record_maker(mod_ty module) {
  const auto top = items(module->v.Module.body);
  if (top.size() != 1 || !is_plain_function(top[0])) return false;
  const auto& maker = top[0]->v.FunctionDef;
  const auto body = items(maker.body);
  if (PyUnicode_CompareWithASCIIString(maker.name, "__create_fn__") != 0 || body.size() != 2 ||
      !is_plain_function(body[0]) || body[1]->kind != Return_kind ||
      !is_plain_name(body[1]->v.Return.value))
    return false;
  return std::ranges::all_of(items(body[0]->v.FunctionDef.body), is_record_statement);
}

// lambda _cls, a, b: _tuple_new(_cls, (a, b))
bool is_tuple_constructor(mod_ty module) {
  expr_ty function = module->v.Expression.body;
  if (function->kind != Lambda_kind || !are_plain_parameters(function->v.Lambda.args)) return false;
  expr_ty call = function->v.Lambda.body;
  if (call->kind != Call_kind || !is_name(call->v.Call.func, "_tuple_new") ||
      call->v.Call.keywords != nullptr)
    return false;
  const auto given = items(call->v.Call.args);
  return given.size() == 2 && is_name(given[0], "_cls") && given[1]->kind == Tuple_kind &&
         are_plain_names(given[1]->v.Tuple.elts);
}

// In the words that collections itself uses for a bad name.
PyObject* refuse_names() {
  return PyErr_Format(PyExc_TypeError, "Type names and field names must be valid identifiers");
}

// exec(text, globals, namespace): of the globals only the module's name is taken over.
PyObject* make_record_method(PyObject*, PyObject* arguments) {
  PyObject *text = nullptr, *globals = nullptr, *namespace_of_it = nullptr;
  if (PyArg_ParseTuple(arguments, "UOO!", &text, &globals, &PyDict_Type, &namespace_of_it) == 0)
    return nullptr;
  const ParsedText read(text, Py_file_input);
  if (read.module() == nullptr) return nullptr;
  if (!is_record_maker(read.module())) return refuse_names();
  const Ref code(read.compile());
  const Ref builtins(PyDict_New());
  const Ref own(PyDict_New());
  if (!code || !builtins || !own) return nullptr;
  PyObject* real = PyEval_GetBuiltins();
  for (const char* name : kRecordBuiltins) {
    PyObject* value = PyDict_GetItemString(real, name);
    if (value != nullptr) PyDict_SetItemString(builtins.get(), name, value);
  }
  PyDict_SetItemString(own.get(), "__builtins__", builtins.get());
  if (PyDict_Check(globals)) {
    PyObject* name = PyDict_GetItemString(globals, "__name__");
    if (name != nullptr) PyDict_SetItemString(own.get(), "__name__", name);
  }
  return PyEval_EvalCode(code.get(), own.get(), namespace_of_it);
}

// eval(text, globals): collections hands over globals of its own making, with _tuple_new in them.
PyObject* make_tuple_constructor(PyObject*, PyObject* arguments) {
  PyObject *text = nullptr, *globals = nullptr;
  if (PyArg_ParseTuple(arguments, "UO!", &text, &PyDict_Type, &globals) == 0) return nullptr;
  const ParsedText read(text, Py_eval_input);
  if (read.module() == nullptr) return nullptr;
  if (!is_tuple_constructor(read.module())) return refuse_names();
  const Ref code(read.compile());
  const Ref none(PyDict_New());
  if (!code || !none || PyDict_SetItemString(globals, "__builtins__", none.get()) != 0)
    return nullptr;
  return PyEval_EvalCode(code.get(), globals, globals);
}

PyObject* check_annotation(PyObject*, PyObject* arguments) {
  if (PyTuple_GET_SIZE(arguments) == 0)
    return PyErr_Format(PyExc_TypeError, "there is nothing to read");
  const ParsedText read(PyTuple_GET_ITEM(arguments, 0), Py_eval_input);
  if (read.module() == nullptr) return nullptr;
  Py_RETURN_NONE;
}

PyObject* refuse_annotation(PyObject*, PyObject*) {
  return PyErr_Format(PyExc_TypeError,
                      "annotations that are text are not evaluated here: write the type itself");
}

}  // namespace

bool is_reading_library_text() {
  return is_reading;
}

PyMethodDef kMakeRecordMethod = {"make_record_method", make_record_method, METH_VARARGS, nullptr};
PyMethodDef kMakeTupleConstructor = {"make_tuple_constructor", make_tuple_constructor, METH_VARARGS,
                                     nullptr};
PyMethodDef kCheckAnnotation = {"check_annotation", check_annotation, METH_VARARGS, nullptr};
PyMethodDef kRefuseAnnotation = {"refuse_annotation", refuse_annotation, METH_VARARGS, nullptr};

}  // namespace airlock::python
