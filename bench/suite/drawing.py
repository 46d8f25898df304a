"""The two figures, as SVG with text that stays text."""

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402 -- after the choice of what draws
from matplotlib.ticker import LogLocator  # noqa: E402

OURS, TARGET, GREY = "#1f6f8b", "#d1495b", "#8a8f98"
LINES = ["#1f6f8b", "#d1495b", "#edae49", "#66a182", "#2e4057"]
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "sqmax", "font.family": "sans-serif", "font.size": 11,
         "axes.spines.top": False, "axes.spines.right": False}


def save(figure, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)


def number(value):
    return f"{value:.0f}×" if value >= 10 else f"{value:.1f}×"


def speed(rows, path):
    """Bars of `rows`: (label, median, low, high, target or None), first on top."""
    rows = rows[::-1]
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(8, 0.8 + 0.42 * len(rows)))
        medians = [row[1] for row in rows]
        errors = [[row[1] - row[2] for row in rows], [row[3] - row[1] for row in rows]]
        axes.barh([row[0] for row in rows], medians, xerr=errors, color=OURS, height=0.62,
                  error_kw={"ecolor": GREY, "capsize": 3, "lw": 1})
        for place, (_, median, _, high, target) in enumerate(rows):
            axes.text(max(high, target or 0) * 1.08, place, number(median), va="center")
            if target:
                axes.plot([target, target], [place - 0.38, place + 0.38], color=TARGET, lw=2)
        axes.axvline(1, color=GREY, lw=1)
        axes.set_xscale("log")
        axes.set_xlim(min(0.5, *(row[2] for row in rows)), max(max(row[3], row[4] or 0) for row in rows) * 1.8)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}×")
        axes.set_xlabel("times faster than … (median and range of the rounds; red: what was aimed for)")
        save(figure, path)


def growth(axes_found, path):
    """Time and memory against size, a line for each thing that grows."""
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(1, 2, figsize=(10, 4.2))
        for colour, (name, found) in zip(LINES, axes_found.items()):
            points = found["points"]
            factors = [point["factor"] for point in points]
            panels[0].plot(factors, [point["seconds"]["median"] for point in points], "o-", color=colour, ms=4,
                           label=f"{name}: {found['time_slope']:.2f}")
            panels[1].plot(factors, [point["peak_memory_bytes"] / 2**20 for point in points], "o-", color=colour, ms=4,
                           label=f"{name}: {found['memory_slope']:.2f}")
        for panel, title in zip(panels, ("seconds of a fit", "peak memory, MiB")):
            panel.set(xscale="log", yscale="log", title=title, xlabel="size, relative to the base")
            panel.set_xticks(factors, [f"{factor:g}" for factor in factors])
            panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
            panel.minorticks_off()
            panel.grid(alpha=0.3)
            panel.legend(title="what grows, and with which power", fontsize=9, title_fontsize=9, frameon=False,
                         loc="upper center", bbox_to_anchor=(0.5, -0.16))
        save(figure, path)
