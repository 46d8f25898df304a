"""The rules can fail: each is run on a small tree that breaks it, and on one that does not."""

import graphlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_docs_links  # noqa: E402
import check_docs_names  # noqa: E402
import check_hardening  # noqa: E402
import check_hardening_flags  # noqa: E402
import check_headers  # noqa: E402
import check_layers  # noqa: E402
import check_silence  # noqa: E402
import check_text  # noqa: E402
import mutate  # noqa: E402

COMPILER = os.environ.get("CXX", "c++")
NM = os.environ.get("NM", "nm")


class RuleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class Layers(RuleTest):
    def problems_of(self, name, text):
        self.write(name, text)
        return check_layers.problems(self.root)

    def test_downward_includes_pass(self):
        text = '#include "sqmax/core/error.h"\n#include "solve/gram.h"\n#include <sys/mman.h>\n'
        self.assertEqual(self.problems_of("src/solve/als.cc", text), [])

    def test_every_spelling_of_an_upward_include_fails(self):
        for include in ('"solve/als.h"', '"sqmax/solve/als.h"', "<sqmax/solve/als.h>"):
            found = self.problems_of("src/core/x.cc", f"\n# include {include}\n")
            self.assertEqual(len(found), 1, include)
            self.assertIn("x.cc:2: core may not include solve", found[0])

    def test_public_headers_are_checked(self):
        self.assertEqual(
            len(self.problems_of("include/sqmax/loss/x.h", '#include "sqmax/solve/als.h"\n')), 1)

    def test_nobody_includes_cli(self):
        self.assertEqual(
            len(self.problems_of("src/serve/http.cc", '#include "cli/command.h"\n')), 1)

    def test_an_unknown_module_fails(self):
        self.assertEqual(len(self.problems_of("src/util/x.cc", "")), 1)

    def test_the_table_has_no_cycle(self):
        graphlib.TopologicalSorter(check_layers.MAY_INCLUDE).prepare()


class Silence(RuleTest):
    def problems_of(self, source):
        path = self.write("x.cc", source)
        subprocess.run([COMPILER, "-O2", "-c", path, "-o", self.root / "x.o"], check=True)
        command = [NM, "-C", "-A", "--undefined-only", self.root / "x.o"]
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return check_silence.problems(listed)

    def test_what_talks_or_ends_is_found(self):
        self.assertEqual(len(self.problems_of(
            "#include <cstdio>\n#include <cstdlib>\n"
            "void f(int x) { std::puts(\"a\"); std::printf(\"%d\", x); std::fprintf(stderr, \"%d\", x);"
            " if (x == std::rand()) std::exit(x); std::abort(); }")), 6)

    def test_streams_are_found(self):
        found = self.problems_of("#include <iostream>\nvoid f() { std::cerr << 1; }")
        self.assertEqual(len(found), 1)
        self.assertIn("std::cerr", found[0])

    def test_asserts_are_found(self):
        self.assertEqual(
            len(self.problems_of("#include <cassert>\nvoid f(int x) { assert(x); }")), 1)

    def test_memory_and_exceptions_pass(self):
        self.assertEqual(self.problems_of(
            "#include <cstdio>\n#include <sstream>\n#include <stdexcept>\n"
            "void f(char* s, int x) { std::snprintf(s, 9, \"%d\", x); std::ostringstream o; o << x;"
            " throw std::runtime_error(o.str()); }"), [])

    def test_formatting_passes_and_printing_fails(self):
        lines = ("a.a:x.o:                 U fmt::v9::vformat[abi:cxx11](x)\n"
                 "a.a:x.o:                 U fmt::v9::vprint(_IO_FILE*, x)\n")
        self.assertEqual(len(check_silence.problems(lines)), 1)


class Headers(RuleTest):
    def problems_of(self, text):
        self.write("include/sqmax/core/x.h", text)
        return check_headers.problems(self.root, COMPILER)

    def test_a_whole_header_passes(self):
        self.assertEqual(
            self.problems_of("#pragma once\n#include <cstdint>\nusing I = std::int32_t;\n"), [])

    def test_a_missing_include_fails(self):
        self.assertEqual(len(self.problems_of("#pragma once\nusing S = std::string;\n")), 1)

    def test_a_missing_guard_fails(self):
        self.assertEqual(len(self.problems_of("struct S {};\n")), 1)

    def test_third_party_and_private_headers_fail(self):
        for include in ("<stdlib.h>", '"core/fail.h"'):
            self.write("include/core/fail.h", "#pragma once\n")
            self.assertEqual(len(self.problems_of(f"#pragma once\n#include {include}\n")), 1)

    def test_an_empty_tree_fails(self):
        self.assertEqual(len(check_headers.problems(self.root, COMPILER)), 1)


class DocsLinks(RuleTest):
    def problems(self):
        return check_docs_links.problems(self.root)

    def test_good_links_pass(self):
        self.write("docs/a.md", "[b](../README.md#top) [c](#here) [d](https://example.org/x.md)\n")
        self.write("README.md", "[a](docs/a.md) [docs](/docs) `[x](y)`\n\n```\n[z](gone.md)\n```\n")
        self.assertEqual(self.problems(), [])

    def test_broken_links_are_named_with_their_line(self):
        self.write("README.md", "```\ncode\n```\n[a](docs/gone.md)\n\n[b]: gone-too.md\n")
        found = self.problems()
        self.assertEqual(len(found), 2)
        self.assertIn("README.md:4", found[0])
        self.assertIn("README.md:6", found[1])

    def test_cited_pages_exist(self):
        self.write("docs/notation.md", "")
        self.write("src/x.cc", "// docs/notation.md, eq. 3. docs/solvers/<name>.md\n// docs/gone.md.\n")
        found = self.problems()
        self.assertEqual(len(found), 1)
        self.assertIn("x.cc:2: cites docs/gone.md,", found[0])

    def test_every_loss_has_a_page(self):
        self.write("src/loss/losses/rg2_ssm.cc", "")
        self.assertEqual(len(self.problems()), 1)
        self.write("docs/losses/rg2-ssm.md", "")
        self.assertEqual(self.problems(), [])


class DocsNames(RuleTest):
    def test_what_is_gone_is_named_with_its_line(self):
        self.write("src/solve/cg.cc", "void RowSystem::multiply() { exact_push(); }\n")
        self.write("CHANGELOG.md", "`gone_long_ago`\n")
        self.write("docs/cg.md", "`src/solve/cg.cc` `solve/cg.cc` `RowSystem::multiply` `exact_push()` `--gone`\n"
                                 "```\n`not_quoted`\n```\n`solve/pcg.cc`, `RowSystem::divide` and `inexact_push`\n")
        found = list(check_docs_names.problems(self.root))
        self.assertEqual(len(found), 3)
        for problem, name in zip(found, ("solve/pcg.cc", "RowSystem::divide", "inexact_push")):
            self.assertIn(f"cg.md:5: `{name}` is nowhere", problem)


class Text(RuleTest):
    def test_unfinished_thoughts_fail(self):
        for word in ("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"):
            self.write("src/x.cc", f"// {word}: later\n")
            self.assertEqual(len(check_text.problems(self.root)), 1, word)

    def test_a_template_of_a_name_passes(self):
        self.write("src/x.cc", 'auto name = "sqmax_' + "X" * 6 + '";\n')
        self.assertEqual(check_text.problems(self.root), [])

    def test_forbidden_flags_fail(self):
        self.write("cmake/x.cmake", "add_compile_options(-march=" + "native -ffast-" + "math)\n")
        self.assertEqual(len(check_text.problems(self.root)), 2)


class Hardening(RuleTest):
    def lacks_of(self, name, source, options):
        file = self.root / name
        subprocess.run([COMPILER, *options, self.write("x.cc", source), "-o", file], check=True)
        return check_hardening.missing(os.environ.get("READELF", "readelf"), str(file))

    def test_a_soft_program_is_found_out(self):
        options = ["-no-pie", "-fno-stack-protector", "-Wl,-z,norelro,-z,lazy,-z,execstack"]
        lacks = self.lacks_of("soft", "int main() { return 0; }\n", options)
        self.assertEqual(len(lacks), 6, lacks)

    def test_a_shared_object_needs_no_interpreter_but_all_else(self):
        source = ("#include <cstring>\nvoid fill(char*);\n"
                  "int f(const char* s) { char a[64]; fill(a); std::strcpy(a, s); return a[0]; }\n")
        hard = ["-O2", "-shared", "-fPIC", "-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2",
                "-Wl,-z,relro,-z,now,-z,noexecstack"]
        self.assertEqual(self.lacks_of("hard.so", source, hard), [])
        soft = ["-O2", "-shared", "-fPIC", "-fno-stack-protector", "-U_FORTIFY_SOURCE",
                "-Wl,-z,norelro,-z,lazy,-z,execstack"]
        self.assertEqual(len(self.lacks_of("soft.so", source, soft)), 5)


class HardeningFlags(RuleTest):
    FLAGS = ("-O2 -fPIC -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"
             " -fcf-protection")

    def problems_of(self, flags, name="src/core/x.cc", output="src/CMakeFiles/sqmax.dir/x.o", machine="x86_64"):
        source = self.write(name, "")
        command = {"file": str(source), "command": f"c++ {flags} -o {output} -c {source}"}
        return check_hardening_flags.problems([command], self.root / "src", machine)

    def test_all_flags_pass(self):
        self.assertEqual(self.problems_of(self.FLAGS), [])

    def test_each_flag_is_missed(self):
        for flag in self.FLAGS.split():
            if not flag.startswith("-U"):
                found = self.problems_of(self.FLAGS.replace(f"{flag}", "", 1))
                self.assertEqual(len(found), 1, flag)
                self.assertIn("x.cc is compiled without -", found[0])

    def test_a_later_flag_that_takes_one_back_is_found(self):
        for flag in ("-fno-stack-protector", "-fno-stack-clash-protection", "-U_FORTIFY_SOURCE", "-O0", "-fno-pic",
                     "-fcf-protection=none", "-D_FORTIFY_SOURCE=1", "-fstack-protector"):
            self.assertEqual(len(self.problems_of(f"{self.FLAGS} {flag}")), 1, flag)

    def test_kernels_alone_may_do_without_guards(self):
        flags = self.FLAGS + " -fno-stack-protector"
        self.assertEqual(self.problems_of(flags, name="src/kernels/x.cc"), [])
        self.assertEqual(len(self.problems_of(flags + " -U_FORTIFY_SOURCE", name="src/kernels/x.cc")), 1)

    def test_other_machines_have_no_cf_protection(self):
        self.assertEqual(self.problems_of(self.FLAGS.replace("-fcf-protection", ""), machine="aarch64"), [])

    def test_a_file_that_only_tests_compile_is_missed(self):
        found = self.problems_of(self.FLAGS, output="tests/narrow/CMakeFiles/x.o")
        self.assertIn("x.cc is not among the commands of the build.", found[0])

    def test_an_empty_folder_fails(self):
        self.assertEqual(len(check_hardening_flags.problems([], self.root)), 1)


class Mutants(RuleTest):
    def flaws_of(self, text, old="a < b", new="a <= b"):
        self.write("src/core/x.cc", text)
        return mutate.flaws(self.root, [{"name": "one", "file": "src/core/x.cc", "old": old, "new": new}])

    def test_a_text_that_occurs_once_can_be_replaced(self):
        self.assertEqual(self.flaws_of("if (a < b) return;\n"), [])

    def test_a_text_that_is_gone_or_there_twice_cannot(self):
        self.assertIn("occurs 0 times", self.flaws_of("if (a > b) return;\n")[0])
        self.assertIn("occurs 2 times", self.flaws_of("a < b; a < b;\n")[0])

    def test_a_bug_changes_something(self):
        self.assertIn("changes nothing", self.flaws_of("a < b\n", new="a < b")[0])

    def test_every_folder_of_the_list_has_tests(self):
        for mutant in mutate.mutants_of(ROOT):
            self.assertTrue(mutate.tests_of(mutant), mutant["name"])


if __name__ == "__main__":
    unittest.main()
