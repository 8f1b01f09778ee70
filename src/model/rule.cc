#include "model/rule.h"

#include <array>

#include "base/ascii.h"

namespace airlock {

namespace {

constexpr Stage kSyn = Stage::kSyntax;
constexpr Stage kSec = Stage::kSecurity;
constexpr Stage kSig = Stage::kSignature;
constexpr Severity kErr = Severity::kError;
constexpr Severity kWarn = Severity::kWarning;
constexpr Severity kNote = Severity::kNote;

// `bad` and `good` are held by a test: the first is refused with this rule, the second passes.
constexpr std::array kRules = {
    // ---- cleaning
    Rule{RuleCode::kFenceRemoved, "AL001", "FenceRemoved", "cleaned_fence", kSyn, kNote,
         "A Markdown fence around the code was removed",
         "Models wrap code in ``` or ~~~ fences. The fence is not Python; what stands between its "
         "lines is judged and "
         "run, and nothing else is.",
         "```python\ndef extract(path: str) -> dict:\n    return {}\n```",
         "def extract(path: str) -> dict:\n    return {}"},
    Rule{RuleCode::kProseRemoved, "AL002", "ProseRemoved", "cleaned_prose", kSyn, kNote,
         "Text before or after the code was removed",
         "An explanation around the code is for people. It is dropped before the code is judged; "
         "the lines of the "
         "findings still point into the text as it came.",
         "Sure! Here is the extractor:\n\ndef extract(path: str) -> dict:\n    return {}",
         "def extract(path: str) -> dict:\n    return {}"},
    Rule{RuleCode::kThinkingRemoved, "AL003", "ThinkingRemoved", "cleaned_thinking", kSyn, kNote,
         "A reasoning section was removed",
         "Some models send their reasoning in <think> tags before the answer. Code inside it is a "
         "draft, so none of it "
         "is taken.",
         "<think>maybe import os</think>\ndef extract(path: str) -> dict:\n    return {}",
         "def extract(path: str) -> dict:\n    return {}"},
    Rule{RuleCode::kWrapperRemoved, "AL004", "WrapperRemoved", "cleaned_wrapper", kSyn, kNote,
         "A wrapper around the code was removed",
         "The answer was a JSON object with the code in a string, or had tags such as <answer> or "
         "<code> around it.",
         "{\"code\": \"def extract(path):\\n    return {}\"}", "def extract(path):\n    return {}"},
    Rule{RuleCode::kByteOrderMarkRemoved, "AL005", "ByteOrderMarkRemoved",
         "cleaned_byte_order_mark", kSyn, kNote, "A byte-order mark was removed",
         "The mark U+FEFF at the start of a file says nothing in UTF-8.", "", ""},
    Rule{RuleCode::kLineEndsChanged, "AL006", "LineEndsChanged", "cleaned_line_ends", kSyn, kNote,
         "Line ends were changed to LF",
         "CR LF and lone CR end a line for Python too; one form makes lines and hashes the same "
         "everywhere.",
         "", ""},
    Rule{RuleCode::kCharactersReplaced, "AL007", "CharactersReplaced", "cleaned_characters", kSyn,
         kNote, "Characters that Python does not read were replaced",
         "No-break spaces, zero-width spaces and typographic quotes come from chat pages and word "
         "processors. They are "
         "replaced only outside strings, and only when the code cannot be read with them.",
         "name = \xE2\x80\x9Creport\xE2\x80\x9D", "name = \"report\""},
    Rule{RuleCode::kBlockChosen, "AL008", "BlockChosen", "chosen_block", kSyn, kNote,
         "One of several code blocks was chosen",
         "The block that defines extract is the program; when several do, the last one is, as it "
         "would be in Python. "
         "Blocks of helpers that it needs are put in front. Everything that is kept is judged.",
         "", "Answer with one code block."},
    Rule{RuleCode::kDecorationRemoved, "AL009", "DecorationRemoved", "cleaned_decoration", kSyn,
         kNote, "Marks at the start of each line were removed",
         "Quote marks, prompts of the interactive interpreter and line numbers are not part of the "
         "code.",
         "> def extract(path):\n>     return {}", "def extract(path):\n    return {}"},
    // ---- syntax
    Rule{RuleCode::kSyntaxError, "AL101", "SyntaxError", "syntax_error", kSyn, kErr,
         "The code is not valid Python",
         "The message, line and column are those of the interpreter that would run the code.",
         "def extract(path: str) -> dict\n    return {}",
         "def extract(path: str) -> dict:\n    return {}"},
    Rule{RuleCode::kIndentation, "AL102", "Indentation", "indentation", kSyn, kErr,
         "The indentation is not consistent",
         "Python reads blocks by their indentation; tabs and spaces may not be mixed in one block.",
         "def extract(path):\n    a = 1\n      b = 2\n    return {}",
         "def extract(path):\n    a = 1\n    b = 2\n    return {}"},
    Rule{RuleCode::kNoCode, "AL103", "NoCode", "no_code", kSyn, kErr,
         "There is no code in the answer",
         "The text is empty, or prose only, or a fence with nothing in it. Such a text must not "
         "pass as an empty "
         "program.",
         "", "Answer with one Python code block that defines extract(path)."},
    Rule{RuleCode::kTooLarge, "AL104", "TooLarge", "too_large", kSyn, kErr,
         "The source is larger than the policy allows",
         "Size is limited before anything is parsed, so that no input can take the parser's time "
         "or memory.",
         "", "Keep extractors small; a long table can often be a rule or a shorter pattern."},
    Rule{RuleCode::kTooDeep, "AL105", "TooDeep", "too_deep", kSyn, kErr,
         "The source is nested deeper than the policy allows",
         "Deep nesting is how scanners and compilers are made to overflow. No honest extractor "
         "needs it.",
         "", "Use a loop, a table or a helper function."},
    Rule{RuleCode::kNotUtf8, "AL106", "NotUtf8", "not_utf8", kSyn, kErr, "The source is not UTF-8",
         "Other encodings let text say one thing to the reader and another to the interpreter.", "",
         "Save the file as UTF-8."},
    Rule{RuleCode::kNulByte, "AL107", "NulByte", "nul_byte", kSyn, kErr,
         "The source contains a NUL byte",
         "Some readers stop at a NUL byte and others do not: what follows it could be hidden.", "",
         "Remove the NUL byte; inside a string write \\x00."},
    Rule{RuleCode::kNotPython, "AL108", "NotPython", "not_python", kSyn, kErr,
         "The text is something other than a Python file",
         "A diff, a shell session or a page of HTML cannot be judged as the program that it "
         "describes; and a *.py file with more than a program in it is what somebody will run, so "
         "it is judged as it stands. Only answers are cleaned: under any other name, from standard "
         "input, or with --answer.",
         "", "Ask for the whole file as Python; airlock clean prints the code in an answer."},
    Rule{RuleCode::kEncodingDeclaration, "AL109", "EncodingDeclaration", "encoding_declaration",
         kSyn, kErr, "The encoding declaration names something other than UTF-8",
         "A declared codec can turn a comment into code (raw_unicode_escape, utf-7). The source is "
         "always read as "
         "UTF-8, and a declaration that says otherwise is refused.",
         "# -*- coding: utf-7 -*-", "# -*- coding: utf-8 -*-"},
    Rule{RuleCode::kVetterFailed, "AL110", "VetterFailed", "vetter_failed", kSyn, kErr,
         "The vetter could not finish with this file",
         "The process that parses the code died or ran past its time on this file. The file is "
         "refused; the others "
         "were judged by a new vetter.",
         "", ""},
    // ---- security
    Rule{RuleCode::kForbiddenImport, "AL201", "ForbiddenImport", "forbidden_import", kSec, kErr,
         "The module is not on the policy's list",
         "Only modules on the list can be imported, wherever the import stands. A module that is "
         "not listed may reach "
         "files, the network or other programs.",
         "import os", "import os.path"},
    Rule{RuleCode::kImportForm, "AL202", "ImportForm", "forbidden_import", kSec, kErr,
         "This form of import is refused",
         "A star import brings in names that nobody can see in the text; a relative import reads "
         "whatever package the "
         "code happens to be in.",
         "from re import *", "from re import compile, search"},
    Rule{RuleCode::kForbiddenBuiltin, "AL203", "ForbiddenBuiltin", "forbidden_builtin", kSec, kErr,
         "The builtin is not on the policy's list",
         "Builtins are allowed by name, wherever the name appears: as a call, a value, a default, "
         "a decorator. One "
         "builtin such as eval or open undoes every other rule.",
         "e = eval", "value = int('7')"},
    Rule{RuleCode::kModuleAttribute, "AL204", "ModuleAttribute", "forbidden_attribute", kSec, kErr,
         "The module's attribute is not on the policy's list",
         "Most modules of the standard library carry others inside (pathlib.os, re.enum.sys). So "
         "each module has its own "
         "list of attributes, derived from the real module and reviewed.",
         "import pathlib\nx = pathlib.os", "import pathlib\nx = pathlib.PurePosixPath('/a').name"},
    Rule{RuleCode::kIntrospection, "AL205", "Introspection", "forbidden_attribute", kSec, kErr,
         "The attribute leads into the interpreter",
         "Special attributes and frames lead from any object to every module in the process: "
         "().__class__.__base__.__subclasses__() is the oldest way out of a Python sandbox.",
         "x = ().__class__.__base__", "x = type(()).__name__"},
    Rule{RuleCode::kFileOperation, "AL206", "FileOperation", "forbidden_attribute", kSec, kErr,
         "The method reads or changes the file system",
         "An extractor gets a name, not a file. Paths may be taken apart and put together, never "
         "opened or asked about.",
         "from pathlib import Path\ntext = Path('a').read_text()",
         "from pathlib import Path\nname = Path('a').name"},
    Rule{RuleCode::kModuleAsValue, "AL207", "ModuleAsValue", "forbidden_attribute", kSec, kErr,
         "A module is used as a value",
         "Once a module is in a variable, a list or an argument, no reading of the text can say "
         "which of its attributes "
         "are reached. A module's name may only stand in front of a dot.",
         "import uuid\nm = uuid", "import uuid\nx = uuid.UUID(int=1)"},
    Rule{RuleCode::kDynamicAttribute, "AL208", "DynamicAttribute", "forbidden_builtin", kSec, kErr,
         "An attribute is reached by a computed name",
         "getattr, setattr, delattr and hasattr are allowed with a literal, harmless name. A "
         "computed name can be anything.",
         "x = 'report'\ny = getattr(x, 'up' + 'per')",
         "x = 'report'\ny = getattr(x, 'upper', None)"},
    Rule{RuleCode::kFormatTemplate, "AL209", "FormatTemplate", "forbidden_attribute", kSec, kErr,
         "A format template walks attributes or is not a literal",
         "Fields of str.format can read attributes ('{0.__class__}'). Templates must be literals "
         "whose fields read only "
         "harmless names.",
         "x = 1\ny = '{0.__class__}'.format(x)", "x = 1\ny = f'{x}'"},
    Rule{RuleCode::kClassPattern, "AL210", "ClassPattern", "forbidden_attribute", kSec, kErr,
         "A class pattern reads attributes that may not be read",
         "case object(name=x) reads an attribute of any object without a dot in the text.",
         "def kind(x):\n    match x:\n        case object(__self__=y):\n            return y",
         "def kind(x):\n    match x:\n        case str(y):\n            return y"},
    Rule{RuleCode::kForbiddenSyntax, "AL211", "ForbiddenSyntax", "forbidden_syntax", kSec, kErr,
         "This syntax is not allowed in the policy",
         "except* can corrupt memory in the interpreter when an exception group lies about its "
         "parts; async code has no "
         "event loop to run in; syntax that this version does not know is refused, never skipped.",
         "async def helper():\n    pass", "def helper():\n    pass"},
    Rule{RuleCode::kAssembledName, "AL212", "AssembledName", "forbidden_builtin", kSec, kErr,
         "A forbidden name is put together from pieces",
         "Constants that add up to a special attribute, a name that leads into the interpreter, "
         "eval "
         "or exec have no honest use.",
         "name = '__imp' + 'ort__'", "name = 'report'"},
    Rule{RuleCode::kForeignWrite, "AL213", "ForeignWrite", "forbidden_attribute", kSec, kErr,
         "An attribute of a module or of an imported class is changed",
         "Writing into a module or a library class changes the program around the code: its clock, "
         "its JSON writer.",
         "import json\njson.dumps = None", "dumps = None"},
    Rule{RuleCode::kSpecialName, "AL214", "SpecialName", "forbidden_attribute", kSec, kErr,
         "A special name is defined that may not be",
         "Python and its libraries act on special names: a forged __annotations__ makes dataclass "
         "execute text. Ordinary "
         "protocol methods (__init__, __eq__, __len__ …) are allowed.",
         "class Row:\n    __annotations__ = {}", "class Row:\n    a: int = 1"},
    Rule{RuleCode::kHiddenCharacter, "AL215", "HiddenCharacter", "hidden_character", kSec, kErr,
         "The source contains invisible or direction-changing characters",
         "Bidirectional controls and tag characters make code look different from what it is, or "
         "carry hidden text to the "
         "next model that reads it.",
         "", "Write the character as an escape (\\u202e) or remove it."},
    Rule{RuleCode::kDynamicClass, "AL216", "DynamicClass", "forbidden_builtin", kSec, kErr,
         "A class is made in a way that cannot be read",
         "type() with three arguments, metaclasses, computed base classes and computed names of "
         "fields or members make classes whose special names no reading of the text can see. What "
         "type(x) gives may be compared, named, printed and tested, but not called, kept or handed "
         "on: of a class it gives what makes classes.",
         "Row = type('Row', (), {})", "class Row:\n    pass"},
    Rule{RuleCode::kUndefinedName, "AL217", "UndefinedName", "undefined_name", kSec, kErr,
         "The name is not defined anywhere",
         "It is no builtin on the list and nothing in the code binds it. It would fail when it is "
         "reached, or find "
         "something that the runner left there.",
         "def extract(path):\n    return {'name': pth}",
         "def extract(path):\n    return {'name': path}"},
    Rule{RuleCode::kLookAlike, "AL218", "LookAlike", "look_alike", kSec, kErr,
         "A name mixes scripts, or looks like another name",
         "Letters of several scripts look the same: the Cyrillic \u0430 and the Latin a. Who "
         "reviews "
         "the code takes such a name for the other one; Python does not. A name wholly in one "
         "script is fine, and so are the mixes that Japanese, Chinese and Korean are written in.",
         "def extract(path):\n    p\u0430th = 'x'\n    return {'name': path}",
         "def extract(path):\n    name = 'x'\n    return {'name': name}"},
    // ---- signature
    Rule{RuleCode::kMissingExtract, "AL301", "MissingExtract", "signature", kSig, kErr,
         "There is no function extract",
         "An extractor is a file with one top-level function: def extract(path: str) -> dict.",
         "def parse(path):\n    return {}", "def extract(path: str) -> dict:\n    return {}"},
    Rule{RuleCode::kExtractPlace, "AL302", "ExtractPlace", "signature", kSig, kErr,
         "extract is not defined at the top level",
         "A definition inside if, try, with, a loop, a class or another function may or may not be "
         "there at run time.",
         "if True:\n    def extract(path):\n        return {}",
         "def extract(path):\n    return {}"},
    Rule{RuleCode::kExtractKind, "AL303", "ExtractKind", "signature", kSig, kErr,
         "extract is a coroutine or a generator",
         "Calling it would give an object that has done nothing yet instead of a dict.",
         "async def extract(path):\n    return {}", "def extract(path):\n    return {}"},
    Rule{RuleCode::kExtractDecorated, "AL304", "ExtractDecorated", "signature", kSig, kErr,
         "extract is decorated",
         "What is called is then whatever the decorator returns, not the function that was judged.",
         "def memo(f):\n    return f\n\n@memo\ndef extract(path):\n    return {}",
         "def extract(path):\n    return {}"},
    Rule{RuleCode::kExtractRebound, "AL305", "ExtractRebound", "signature", kSig, kErr,
         "extract is bound more than once",
         "Only one binding can be the one that runs; the reader and the interpreter must agree "
         "which.",
         "def extract(path):\n    return {}\n\nextract = len", "def extract(path):\n    return {}"},
    Rule{RuleCode::kExtractParameters, "AL306", "ExtractParameters", "signature", kSig, kErr,
         "extract does not take exactly one required argument",
         "It is called as extract(path). More parameters are fine when they have defaults.",
         "def extract(path, mode):\n    return {}",
         "def extract(path, mode='fast'):\n    return {}"},
    Rule{RuleCode::kParameterName, "AL307", "ParameterName", "signature", kSig, kWarn,
         "The first parameter is not called path",
         "The name is a convention that makes extractors alike; the call is positional.",
         "def extract(p):\n    return {}", "def extract(path):\n    return {}"},
    Rule{RuleCode::kReturnAnnotation, "AL308", "ReturnAnnotation", "signature", kSig, kWarn,
         "The return annotation is not dict",
         "extract must return a dict; an annotation that says otherwise is a sign of a "
         "misunderstanding.",
         "def extract(path) -> list:\n    return {}", "def extract(path) -> dict:\n    return {}"},
    Rule{RuleCode::kNoReturn, "AL309", "NoReturn", "signature", kSig, kErr,
         "extract returns nothing", "Without a return that has a value, every call gives None.",
         "def extract(path):\n    print(path)", "def extract(path):\n    return {'path': path}"},
    Rule{RuleCode::kWrongReturn, "AL310", "WrongReturn", "signature", kSig, kErr,
         "extract returns something that is not a dict",
         "The returned expression can be nothing but a list, a string, a number or another value "
         "that is not a dict.",
         "def extract(path):\n    return [path]", "def extract(path):\n    return {'path': path}"},
    Rule{RuleCode::kSomePathsReturnNothing, "AL311", "SomePathsReturnNothing", "signature", kSig,
         kWarn, "Some ways through extract return None",
         "When no branch returns, or a return has no value, the caller gets None where a dict is "
         "expected.",
         "def extract(path):\n    if path:\n        return {}",
         "def extract(path):\n    if path:\n        return {'path': path}\n    return {}"},
    Rule{RuleCode::kAnnotationRunsCode, "AL312", "AnnotationRunsCode", "signature", kSig, kErr,
         "An annotation of extract runs code",
         "A call in an annotation runs when the function is defined. Annotations are for types.",
         "def extract(path: print('x')):\n    return {}", "def extract(path: str):\n    return {}"},
};

}  // namespace

std::span<const Rule> all_rules() {
  return kRules;
}

const Rule* find_rule(std::uint16_t number) {
  for (const Rule& row : kRules) {
    if (static_cast<std::uint16_t>(row.code) == number) return &row;
  }
  return nullptr;
}

const Rule* find_rule(std::string_view name) {
  for (const Rule& row : kRules) {
    if (equal_ignoring_case(row.name, name)) return &row;
  }
  return nullptr;
}

const Rule& rule(RuleCode code) {
  return *find_rule(static_cast<std::uint16_t>(code));
}

}  // namespace airlock
