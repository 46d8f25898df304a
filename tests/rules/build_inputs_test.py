"""The rule of pinned build inputs can fail, and lets Debian's own revisions pass."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))

import check_build_inputs  # noqa: E402


def component(name, version, purl="pkg:deb/debian/"):
    return {"name": name, "version": version, "purl": f"{purl}{name}@{version}"}


DOCUMENT = {"components": [component("zlib1g-dev", "1:1.2.13.dfsg-1"), component("linux-libc-dev", "6.1.148-1"),
                           component("gcc-12", "12.2.0-14+deb12u1"), component("base-files", "12.4+deb12u11"),
                           component("nanobind", "2.0", "pkg:pypi/"), {"name": "page.js", "type": "file"}]}
INPUTS = {"zlib1g-dev": "1.2.13.dfsg", "linux-libc-dev": "6.1.148", "gcc-12": "12.2.0", "base-files": "12.4"}


class BuildInputs(unittest.TestCase):
    def test_upstream_versions_of_debian_packages_are_taken(self):
        self.assertEqual(check_build_inputs.inputs_of(DOCUMENT), INPUTS)

    def test_what_is_written_is_read_and_passes(self):
        distribution, pins = check_build_inputs.read(check_build_inputs.lock_of(INPUTS, "debian-bookworm"))
        self.assertEqual(distribution, "debian-bookworm")
        self.assertEqual(pins, {**INPUTS, "linux-libc-dev": "6.1.*"})
        self.assertEqual(check_build_inputs.problems(INPUTS, pins), [])
        self.assertEqual(check_build_inputs.problems({**INPUTS, "linux-libc-dev": "6.1.200"}, pins), [])

    def test_another_version_and_a_new_package_are_found(self):
        self.assertEqual(check_build_inputs.problems({**INPUTS, "gcc-12": "12.3.0"}, INPUTS),
                         ["gcc-12 is 12.3.0, and build-inputs.lock wants 12.2.0."])
        self.assertEqual(check_build_inputs.problems({**INPUTS, "novel": "1"}, INPUTS),
                         ["novel 1 is in the build, and build-inputs.lock does not name it."])


if __name__ == "__main__":
    unittest.main()
