#!/usr/bin/env python3
"""Test metrics of every squared loss, each tuned on validation with the same number of trials.

    bench/squared_family.py SQMAX NAME=DATASET.safetensors... [--trials 40] [--rank 64] [--seed 0]
                            [--rows 'WRMF;RGp'] -o FOLDER

One JSON file a row and data set goes to FOLDER, so an interrupted run goes on where it was; the table
(Markdown) goes to standard output. docs/results.md says how the data sets were prepared.
"""

import argparse
import itertools
import json
import pathlib
import subprocess

ROWS = {
    "popularity": ["--loss", "popularity"],
    "WRMF, the paper's grid": [],  # λ and α as the paper tunes them
    "WRMF": ["--loss", "wrmf"],
    "iALS": ["--loss", "ials"],
    "RG²": ["--loss", "rg2"],
    "RG×, exact": ["--loss", "rgx", "--interaction", "exact"],
    "RG×, diagonal": ["--loss", "rgx", "--interaction", "diagonal"],
    "RG²-SSM": ["--loss", "rg2-ssm"],
    "RG×-SSM": ["--loss", "rgx-ssm"],
    "RGp without links": ["--loss", "rgp", "--links", "0"],
    "RGp": ["--loss", "rgp"],
    "WRMF with links": ["--loss", "wrmf", "--links", "20"],
}
PAPER_LAMBDAS = ["0", "0.1", "0.01", "0.001"]
PAPER_ALPHAS = ["0.5", "1", "2", "4", "8"]
METRICS = ["ndcg@10", "mrr@10", "map@10"]


def train(args, dataset, options):
    command = [args.sqmax, "train", dataset, "--rank", str(args.rank), "--seed", str(args.seed),
               "--metrics", ",".join(METRICS), "--quiet", "--json", *options,
               "-o", str(pathlib.Path(args.output) / "model.safetensors")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{run.stderr}")
    return json.loads(run.stdout)


def measure(args, dataset, row):
    if ROWS[row]:
        return train(args, dataset, ["--budget", f"{args.trials}trials", "--search", "random", "--no-refit",
                                     *ROWS[row]])
    fits = [train(args, dataset, ["--no-tune", "--loss", "wrmf", "--lambda", x, "--alpha", a])
            for x, a in itertools.product(PAPER_LAMBDAS, PAPER_ALPHAS)]
    return max(fits, key=lambda fit: fit["valid"]["ndcg@10"])


def remembered(args, name, dataset, row):
    path = pathlib.Path(args.output) / f"{name} {row}.json"
    if not path.exists():
        path.write_text(json.dumps(measure(args, dataset, row)), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def table(results, name):
    lines = [f"### {name}", "", "| loss | validation NDCG@10 | NDCG@10 | MRR@10 | MAP@10 | settings |", "|---|---|---|---|---|---|"]
    for row, result in results.items():
        settings = ", ".join(f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}"
                             for key, value in result["options"].items())
        values = [f"{result['test'][metric]:.4f}" for metric in METRICS]
        lines.append(f"| {row} | {result['valid']['ndcg@10']:.4f} | {' | '.join(values)} | {settings} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sqmax")
    parser.add_argument("datasets", nargs="+", metavar="NAME=DATASET")
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--rank", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--rows", default=";".join(ROWS), help="which rows, with semicolons between them")
    args = parser.parse_args()
    pathlib.Path(args.output).mkdir(parents=True, exist_ok=True)
    for name, dataset in (pair.split("=", 1) for pair in args.datasets):
        results = {row: remembered(args, name, dataset, row) for row in args.rows.split(";")}
        print(table(results, name), flush=True)


if __name__ == "__main__":
    main()
