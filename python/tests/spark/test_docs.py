"""The blocks of docs/spark.md run as they are printed."""

import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "spark.md"


@pytest.mark.slow
def test_blocks_of_the_page(data, tmp_path):
    names = {"interactions": data.frame, "folder": str(tmp_path)}
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
