"""What notebooks show."""

from __future__ import annotations

import html


def table_html(header, rows) -> str:
    """A plain table."""
    head = "".join(f"<th>{html.escape(str(cell))}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(text(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def text(value) -> str:
    """A number as a person reads it."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def model_html(model) -> str:
    """Name, size, how it was learned, parameters."""
    rows = [("loss", model.loss)]
    if model._fitted is not None:
        users, items = model._fitted.shape
        rows += [("users", users), ("items", items)]
        rows += [(name, model._told[name]) for name in ("solver", "steps", "stopped") if name in model._told]
        rows += [(f"validation {name}", value) for name, value in model._told.get("valid", {}).items()]
        rows += [(f"test {name}", value) for name, value in model._told.get("test", {}).items()]
    rows += [(name, value) for name, value in model.get_params().items() if value is not None]
    return f"<strong>{html.escape(type(model).__name__)}</strong>{table_html(('', ''), rows)}"
