"""The rule of what the program is made of can fail, and what it reads is read rightly."""

import copy
import pathlib
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))

import build_contents  # noqa: E402
import check_sbom  # noqa: E402
import debian_packages  # noqa: E402
import make_sbom  # noqa: E402
import registry_packages  # noqa: E402

CMAKE = "find_package(TBB REQUIRED)\npkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)\n# find_package(Gone)\n"


def component(name, **more):
    return {"type": "library", "name": name, "scope": "required", "purl": f"pkg:deb/debian/{name}@1", "bom-ref": name, **more}


DOCUMENT = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"component": component("sqmax")},
            "components": [component("libtbb-dev"), component("libzstd-dev")],
            "dependencies": [{"ref": "sqmax", "dependsOn": ["libtbb-dev"]}]}


class Documents(unittest.TestCase):
    def problems_with(self, change):
        document = copy.deepcopy(DOCUMENT)
        change(document)
        return check_sbom.problems(document, CMAKE)

    def test_a_whole_document_passes(self):
        self.assertEqual(check_sbom.problems(DOCUMENT, CMAKE), [])

    def test_a_library_that_is_looked_for_and_not_named_is_found(self):
        found = check_sbom.problems(DOCUMENT, CMAKE + "find_package(ZLIB REQUIRED)\nfind_package(Novel REQUIRED)\n")
        self.assertEqual(len(found), 2, found)
        self.assertIn("CMake looks for Novel", found[0])
        self.assertIn("CMake looks for ZLIB, and no component is called zlib1g-dev.", found[1])

    def test_each_damage_is_found(self):
        first = lambda document: document["components"][0]  # noqa: E731
        for damage in (lambda d: d.pop("bomFormat"), lambda d: d.update(specVersion="2"),
                       lambda d: first(d).pop("scope"), lambda d: first(d).update(scope="used"),
                       lambda d: first(d).update(type="program"), lambda d: first(d).pop("purl"),
                       lambda d: first(d).update(purl="pkg:deb/debian/a@1+b"),
                       lambda d: first(d).update(hashes=[{"alg": "SHA-256", "content": "12"}]),
                       lambda d: first(d).update(licenses=[{"license": {}}]),
                       lambda d: d["components"].append(component("libtbb-dev")),
                       lambda d: d["dependencies"][0]["dependsOn"].append("nobody")):
            self.assertEqual(len(self.problems_with(damage)), 1)


class Readers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def test_licences_are_those_of_all_files(self):
        head = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n"
        text = head + "Files: test/*\nLicense: GPL-2\n\nFiles: *\nCopyright: x\nLicense: Expat\n"
        self.assertEqual(debian_packages.licence(text), {"license": {"id": "MIT"}})
        other = text.replace("Expat", "Expat or Apache")
        self.assertEqual(debian_packages.licence(other), {"license": {"name": "Expat or Apache"}})
        self.assertIsNone(debian_packages.licence(text.removeprefix("Format: ")))

    def test_pins_and_npm_packages_are_read(self):
        pins = self.root / "requirements.txt"
        pins.write_text("# of x.in\nnano_bind==3.1 \\\n    --hash=sha256:00\n    # via x\n", encoding="utf-8")
        self.assertEqual([each["purl"] for each in registry_packages.pinned(pins)], ["pkg:pypi/nano-bind@3.1"])
        lock = self.root / "package-lock.json"
        lock.write_text('{"packages": {"": {"version": "1"}, "node_modules/@a/b": {"version": "2", "dev": true},'
                        ' "node_modules/c": {"version": "3", "license": "MIT", "integrity": "sha512-AAE="}}}', encoding="utf-8")
        (builds, first), (bundled, second) = registry_packages.of_npm(lock)
        self.assertEqual((builds["purl"], first, bundled["name"], second), ("pkg:npm/%40a/b@2", False, "c", True))
        self.assertEqual(bundled["hashes"], [{"alg": "SHA-512", "content": "0001"}])

    def test_wheels_tell_what_they_carry_and_ask_for(self):
        wheel = self.root / "a.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("a.libs/libfmt-4f700944.so.9.1.0", "")
            archive.writestr("a-1.dist-info/METADATA", 'Name: a\nRequires-Dist: numpy>=1\nRequires-Dist: tqdm; extra == "p"\n')
        self.assertEqual(registry_packages.libraries_in(wheel), {"libfmt.so.9.1.0"})
        self.assertEqual([(each["name"], extra) for each, extra in registry_packages.required_by(wheel)],
                         [("numpy", False), ("tqdm", True)])

    def test_embedded_files_are_those_of_the_objects(self):
        (self.root / "generated").mkdir()
        (self.root / "generated/x.cc").write_text('EMBED(page, "/a/page.js")\nEMBED(style, "/a/style.css")\n', encoding="utf-8")
        (self.root / "compile_commands.json").write_text(
            f'[{{"command": "c++ -o src/x.o -c x", "file": "{self.root.resolve()}/generated/x.cc"}}]', encoding="utf-8")
        self.assertEqual(build_contents.embedded(self.root, "src/"), ["/a/page.js", "/a/style.css"])
        self.assertEqual(build_contents.embedded(self.root, "tests/"), [])

    def test_what_is_compiled_in_and_builds_is_required(self):
        parts = make_sbom.Parts()
        for how in ("builds it", "compiled in"):
            parts.add({"type": "library", "name": "a", "purl": "pkg:pypi/a@1"}, how)
        parts.add({"type": "library", "name": "b", "purl": "pkg:pypi/b@1"}, "builds it")
        self.assertEqual([each["scope"] for each in parts.components()], ["required", "excluded"])

    def test_a_file_that_nobody_owns_is_an_error(self):
        with self.assertRaisesRegex(SystemExit, "no package owns /nowhere/at/all.h"):
            make_sbom.Parts().add_owners(["/nowhere/at/all.h"], "compiled in")


if __name__ == "__main__":
    unittest.main()
