"""Markdown of every stored result."""

from suite import figures

# At least this fraction of the bound (kernel names begin so).
FRACTIONS = {"gram": 0.60, "score_block": 0.60, "sparse_product, X in L2": 0.70}
SLOPE = 1.1
BILLION_RATIO = 2.0


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def short(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def with_range(spread):
    return f"{short(spread['median'])} [{short(spread['low'])} – {short(spread['high'])}]"


def verdict(reached):
    return "yes" if reached else "**no**"


def comparison(document):
    """Ratios, then what the methods are worth."""
    rounds = document["rounds"]
    rows = []
    for ours, theirs, target in document["pairs"]:
        ratio = figures.ratios(rounds, ours, theirs)
        seconds = [figures.spread([one[who]["seconds"] for one in rounds]) for who in (ours, theirs)]
        rows.append([ours, theirs, *map(with_range, seconds), f"**{with_range(ratio)}**", target or "–",
                     verdict(ratio["median"] >= target) if target else "–"])
    header = ["ours", "theirs", "ours, s", "theirs, s", "times faster", "aim", "reached"]
    return (f"### {document['title']}\n\nRounds: {len(rounds)}; {document['settings']['like']} shape, "
            f"rank {document['settings']['rank']}, {document['settings']['threads']} threads.\n\n"
            + table(header, rows) + quality(document))


def settings_text(settings):
    return ", ".join(f"{name} {short(value) if isinstance(value, float) else value}" for name, value in settings.items())


def quality(document):
    rows = document.get("quality", [])
    if not rows:
        return ""
    keys = [key for key in ("valid", "test", "reported", "same places") if any(key in row for row in rows)]
    names = {"valid": "NDCG@10, validation", "test": "NDCG@10, test", "reported": "the same, by sqmax itself"}
    with_settings = any("settings" in row for row in rows)
    cells = [[row["method"], *(f"{row[key]:.4f}" if key in row else "" for key in keys),
              *([settings_text(row["settings"])] if with_settings else [])] for row in rows]
    where = "" if document["title"].startswith(("Top", "Full eval")) else f" on {document['settings']['real']}"
    return f"\nQuality{where}:\n\n" + table(
        ["method", *(names.get(key, key) for key in keys), *(["settings"] if with_settings else [])], cells)


def roofline_section(section):
    bounds = ", ".join(f"{name} {spread['median'] / 1e9:.1f} {'GFlop/s' if name == 'FMA' else 'GB/s'}"
                       for name, spread in section["bounds"].items())
    ranks = sorted({row["rank"] for row in section["kernels"]})
    kernels = list(dict.fromkeys((row["kernel"], row["bound"]) for row in section["kernels"]))
    found = {(row["kernel"], row["rank"]): row["fraction"] for row in section["kernels"]}
    rows = []
    for kernel, bound in kernels:
        cells = [f"{f['median']:.2f} [{f['low']:.2f} – {f['high']:.2f}]" for f in (found[kernel, rank] for rank in ranks)]
        rows.append([kernel, bound, *cells, FRACTIONS.get(kernel, "–")])
    threads = "1 thread" if section["threads"] == 1 else f"{section['threads']} threads"
    return f"{threads}: {bounds}.\n\n" + table(["kernel", "bound", *(f"rank {rank}" for rank in ranks), "aim"], rows)


def roofline(document):
    return (f"Instruction set {document['isa']}, {document['rounds']} alternations of bound and kernel. "
            "Figures are fractions of the bound: median [lowest – highest].\n\n"
            + "\n".join(roofline_section(section) for section in document["sections"]))


def growth(document):
    rows = []
    for axis, found in document["axes"].items():
        points = found["points"]
        aim = SLOPE if axis != "rank" else "–"
        rows.append([axis, " ".join(short(point["seconds"]["median"]) for point in points),
                     " ".join(short(point["peak_memory_bytes"] / 2**20) for point in points),
                     " ".join(str(point["steps"]) for point in points),
                     f"**{found['time_slope']:.2f}**", f"{found['step_slope']:.2f}", f"{found['memory_slope']:.2f}", aim])
    return (f"Base (users, items, interactions, rank): {document['settings']['base']}; each line multiplies what it names by "
            f"{document['settings']['factors'].replace(',', ', ')}.\n\n"
            + table(["what grows", "seconds", "peak MiB", "steps", "power of time", "of time per step", "of memory",
                     "aim, of time"], rows))


def billion(document):
    rows = []
    for name in ("small", "large"):
        found = document[name]
        size, train = found["size"], found["train"]
        rows.append([f"{size['interactions']:,}", f"{size['users']:,}", f"{size['items']:,}",
                     *(f"{found[step]['seconds'] / 60:.2f}" if step in found else "–" for step in ("synth", "prepare")),
                     f"**{train['answer']['seconds']['fit'] / 60:.2f}**", f"{train['seconds'] / 60:.2f}",
                     f"{train.get('peak_resident_bytes', 0) / 2**30:.2f}", f"{train.get('peak_anonymous_bytes', 0) / 2**30:.2f}",
                     f"{found['seconds_per_interaction'] * 1e9:.1f}", train["answer"].get("steps", "–")])
    header = ["interactions", "users", "items", "synth, min", "prepare, min", "fit, min", "train in all, min",
              "peak GiB, mapped files included", "peak GiB without them", "ns per interaction", "steps"]
    return (f"Rank {document['settings']['rank']}, `--memory {document['settings']['memory']}`.\n\n" + table(header, rows)
            + f"\nMedians of {len(document['ratios'])} rounds. Time per interaction: **{document['ratio']:.2f}** "
            f"[{min(document['ratios']):.2f} – {max(document['ratios']):.2f}] times that of the small case "
            f"(aim: at most {BILLION_RATIO:g}).\n")


def machine(found):
    caches = ", ".join(f"{level} {size}" for level, size in found["caches"].items())
    rows = [["processor", f"{found['processor']}, {found['cores']} cores"], ["caches", caches],
            ["memory", f"{found['memory_gib']} GiB"], ["system", found["system"]], ["compiler", found["compiler"]],
            ["sqmax", f"{found['sqmax']}, commit {found['commit']}"], ["Python", found["python"]],
            ["peers", ", ".join(f"{name} {version}" for name, version in found["packages"].items())]]
    return table(["", ""], rows)
