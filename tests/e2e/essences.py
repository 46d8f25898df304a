"""What files say that does not come from a clock or the memory, for runs that must come to the same.

All bytes of models and datasets; of reports, what is left without the names, columns and places below.
"""

import csv
import io
import json
import pathlib
import re

MEASURED = {"seconds", "seconds_to_95", "fit_seconds", "peak_memory_bytes", "origin", "time", "date"}
MEASURED_COLUMNS = {"seconds", "fit s", "s to 95 %", "s to 95 % of the best", "MB"}
OF_THIS_RUN = {"command", "memory", "processor"}  # rows of a report's Origin


def unmeasured(value):
    if isinstance(value, dict):
        return {name: unmeasured(each) for name, each in value.items() if name not in MEASURED}
    return [unmeasured(each) for each in value] if isinstance(value, list) else value


def table_essence(rows: list) -> list:
    """Rows of cells, the first of which name the columns."""
    kept = [place for place, name in enumerate(rows[0]) if name not in MEASURED_COLUMNS]
    return [[row[place] for place in kept if place < len(row)] for row in rows if row[0] not in OF_THIS_RUN]


def markdown_essence(text: str) -> list:
    parts = []
    for part in text.split("\n\n"):
        rows = [line.strip("|").split("|") for line in part.splitlines()]
        rows = [[cell.strip() for cell in row] for row in rows]
        parts.append(table_essence(rows) if part.startswith("|") else part)
    return parts


def page_essence(text: str) -> list:
    """The page, and the document in it."""
    before, document, after = re.fullmatch(r'(.*<script id="data"[^>]*>)(.*?)(</script>.*)', text, re.S).groups()
    return [before, unmeasured(json.loads(document)), after]


def figure_essence(text: str) -> str:
    """All but where things are from left to right: that is time."""
    without_ticks = re.sub(r'<line class="grid" x1="[\d.]+" y1="40".*\n', "", text)
    return re.sub(r'([ML])[-\d.]+ |cx="[-\d.]+"', r"\1", without_ticks)


def essence(path: pathlib.Path):
    """What a file says that does not come from a clock."""
    text = path.read_text(encoding="utf-8") if path.suffix in {".json", ".csv", ".md", ".html", ".svg"} else ""
    match path.suffix:
        case ".json":
            return unmeasured(json.loads(text))
        case ".csv":
            return table_essence(list(csv.reader(io.StringIO(text))))
        case ".md":
            return markdown_essence(text)
        case ".html":
            return page_essence(text)
        case ".svg":
            return figure_essence(text)
    return path.read_bytes()
