"""Documents that run: docstrings, pages, the notebook; stubs that are there."""

import doctest
import importlib
import pathlib
import pkgutil
import re

import pytest

import sqmax

ROOT = pathlib.Path(__file__).parents[2]
MODULES = [f"sqmax.{module.name}" for module in pkgutil.iter_modules(sqmax.__path__) if module.name not in ("_core", "spark")]


@pytest.mark.parametrize("module", ["sqmax", *MODULES])
def test_docstrings_run(module):
    results = doctest.testmod(
        importlib.import_module(module), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert results.failed == 0


@pytest.mark.parametrize("name", [name for name in sqmax.__all__ if callable(getattr(sqmax, name))])
def test_what_is_public_is_documented(name):
    assert getattr(sqmax, name).__doc__


def test_types_are_there():
    folder = pathlib.Path(sqmax.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_core.pyi").read_text()
    assert "def recommend(" in stub and "class Fitted" in stub
    public = (folder / "__init__.pyi").read_text()
    for made in sqmax._models.CLASSES.values():
        assert f"class {made.__name__}(Model)" in public


@pytest.mark.slow
@pytest.mark.parametrize("page", ["docs/python.md", "docs/migrating-from-implicit.md"])
def test_pages_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text(encoding="utf-8")
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), names)


@pytest.mark.slow
def test_the_notebook_runs():
    import nbformat
    from nbclient import NotebookClient

    path = ROOT / "examples" / "python" / "tour.ipynb"
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
