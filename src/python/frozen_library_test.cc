// The library that the host carries, in an interpreter that may look at nothing else.
#include "python/frozen_library.h"

#include <dirent.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "model/lazy_part.h"
#include "model/policy.h"
#include "python/ref.h"
#include "support/running_interpreter.h"

namespace airlock::python {
namespace {

class FrozenLibraryTest : public testing::Test {
 protected:
  void SetUp() override { test::start_interpreter(); }
};

// What is wrong, or nothing: runs `code`, which sets `wrong`.
std::string wrong_after(const std::string& code) {
  const Ref globals(PyDict_New());
  PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins());
  const Ref done(PyRun_String(code.c_str(), Py_file_input, globals.get(), globals.get()));
  if (!done) {
    PyErr_Print();
    return "it raised";
  }
  const Ref text(PyObject_Str(PyDict_GetItemString(globals.get(), "wrong")));
  return std::string(text_of(text.get()));
}

// Opens and listings, as the interpreter announces them while they are counted.
struct Looks {
  bool are_counted = false;
  std::set<std::string> events = {};
};

int note_look(const char* event, PyObject*, void* data) {
  auto& looks = *static_cast<Looks*>(data);
  const std::string_view name = event;
  if (looks.are_counted && (name == "open" || name == "os.listdir" || name == "os.scandir"))
    looks.events.insert(event);
  return 0;
}

// A hook cannot be taken away again: there is one for the process.
Looks& looks() {
  static auto* const only = [] {
    auto* made = new Looks();
    PySys_AddAuditHook(note_look, made);
    return made;
  }();
  return *only;
}

std::size_t open_descriptors() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), ::closedir);
  std::size_t count = 0;
  while (::readdir(folder.get()) != nullptr) ++count;
  return count;
}

TEST_F(FrozenLibraryTest, AnExtractorsModulesAreImportedWithoutALookAtTheFileSystem) {
  const Policy policy = *find_builtin_policy("extractor");
  std::string names;
  for (const Surface& module : policy.modules) {
    if (module.name != "airlock" && !module.name.starts_with("airlock."))
      names += module.name + " ";
  }
  for (const LazyPart& part : lazy_parts()) names += std::string(part.name) + " ";
  ASSERT_GT(names.size(), 500u);
  looks().are_counted = true;
  EXPECT_EQ(wrong_after("import sys, importlib\n"
                        "modules = {name: importlib.import_module(name) for name in '" +
                        names +
                        "'.split()}\n"
                        "wrong = [name for name, module in modules.items() if name != 'os.path' "
                        "and module.__spec__.origin not in ('frozen', 'built-in')]\n"
                        "wrong += sys.path\n"
                        "wrong += sys.path_importer_cache\n"),
            "[]");
  looks().are_counted = false;
  EXPECT_EQ(looks().events, std::set<std::string>());
}

TEST_F(FrozenLibraryTest, EveryFrozenModuleCanBeRead) {
  std::string names;
  for (const struct _frozen* row = frozen_modules(); row->name != nullptr; ++row)
    names += std::string(row->name) + " ";
  EXPECT_EQ(wrong_after("import _imp\n"
                        "names = '" +
                        names +
                        "'.split()\n"
                        "wrong = [one for one in names if _imp.get_frozen_object(one).co_name != "
                        "'<module>']\n"
                        "if len(names) < 400: wrong.append('few')\n"
                        "if len(set(names)) != len(names): wrong.append('twice')\n"),
            "[]");
}

TEST_F(FrozenLibraryTest, TracebacksShowTheFilesThatTheyHaveAlwaysShown) {
  EXPECT_EQ(wrong_after("import json.decoder\n"
                        "wrong = json.decoder.JSONDecoder.decode.__code__.co_filename\n"),
            std::string(library_folder()) + "/json/decoder.py");
}

TEST_F(FrozenLibraryTest, NativeModulesAreStartedAndLeaveNoDescriptor) {
  ASSERT_GT(native_modules().size(), 15u);
  const std::size_t before = open_descriptors();
  const auto loaded = load_native_modules();
  EXPECT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(open_descriptors(), before);
  // Each is itself: a library that the linker takes for another one has another's contents.
  EXPECT_EQ(
      wrong_after("import _json, _decimal, _queue, _contextvars, _zoneinfo, _codecs_jp, json\n"
                  "wrong = []\n"
                  "if json.loads('[1, \"a\"]') != [1, 'a']: wrong.append('_json')\n"
                  "if str(_decimal.Decimal(1) / 4) != '0.25': wrong.append('_decimal')\n"
                  "if _queue.SimpleQueue().qsize() != 0: wrong.append('_queue')\n"
                  "if _contextvars.ContextVar('a', default=3).get() != 3: "
                  "wrong.append('_contextvars')\n"
                  "if not hasattr(_zoneinfo, 'ZoneInfo'): wrong.append('_zoneinfo')\n"
                  "if '\\u3042'.encode('shift_jis') != bytes((0x82, 0xa0)): "
                  "wrong.append('_codecs_jp')\n"),
      "[]");
}

TEST_F(FrozenLibraryTest, ItsHashAndVersionAreTheInterpretersIdentity) {
  EXPECT_EQ(library_hash().size(), 64u);
  EXPECT_EQ(library_hash().find_first_not_of("0123456789abcdef"), std::string_view::npos);
  const std::string identity = interpreter_identity();
  EXPECT_TRUE(identity.starts_with("CPython 3.11.")) << identity;
  EXPECT_TRUE(identity.ends_with(", library " + std::string(library_hash()))) << identity;
}

}  // namespace
}  // namespace airlock::python
