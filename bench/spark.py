#!/usr/bin/env python3
"""sqmax.spark beside Spark's own ALS, on one cluster of two workers on this machine, and what a sweep costs.

    bench/spark.py [--only fit,quality,cost] [--rounds 3] [--interactions 0] [--real ml-1m.safetensors] [--trials 12]

fit      RGp and ALS (implicitPrefs, 10 iterations) take turns on data of the shape of MovieLens-10M, rank 64
quality  NDCG@10 on the test part of a prepared dataset, both searched by equally many trials on its validation part
cost     seconds a sweep against interactions and against partitions

Run it with build/spark-env/bin/python: `make bench-spark` does. Results go to build/bench-results/spark.json, each as soon
as it is there; a run with the same settings measures what is missing, and with --anew everything.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python" / "tests" / "spark"))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="fit,quality,cost")
    parser.add_argument("--sqmax", default=ROOT / "build" / "release" / "sqmax", help="the program")
    parser.add_argument("--like", default="ml-10m", help="the synthetic data set that is timed")
    parser.add_argument("--interactions", type=int, default=0, help="fewer of them; 0: as the preset has it")
    parser.add_argument("--rank", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--trials", type=int, default=12, help="of each method's search")
    parser.add_argument("--real", help="a prepared dataset with validation and test parts")
    parser.add_argument("--memory", default="4g", help="of each worker")
    parser.add_argument("--anew", action="store_true", help="forget what is in the file")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "build" / "bench-data")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build" / "bench-results")
    return parser.parse_args()


class Results:
    """A file of what was measured, written after each measurement."""

    def __init__(self, path: pathlib.Path, anew: bool):
        self.path, self.anew = path, anew
        self.found = json.loads(path.read_text()) if path.exists() else {}

    def part(self, name: str, **settings) -> dict:
        """What is known of a part, if it was measured with the same settings."""
        known = self.found.get(name, {})
        if self.anew or known.get("settings") != settings:
            known = {"settings": settings}
        self.found[name] = known
        return known

    def save(self) -> None:
        whole = self.path.with_suffix(".new")
        whole.write_text(json.dumps(self.found, indent=1) + "\n")
        os.replace(whole, self.path)


# Data


def synthetic(spark, args, interactions: int):
    """Parquet of integer ids, made once."""
    folder = args.data / f"spark-{args.like}-{interactions}.parquet"
    if not (folder / "_SUCCESS").exists():
        args.data.mkdir(parents=True, exist_ok=True)
        text = args.data / f"spark-{args.like}-{interactions}.tsv"
        command = [str(args.sqmax), "synth", "--like", args.like, "--quiet", "-o", str(text)]
        subprocess.run(command + (["--interactions", str(interactions)] if interactions else []), check=True)
        frame = spark.read.csv(str(text), sep="\t", header=has_header(text))
        user, item = frame.columns[:2]
        numbers = [digits(column).alias(name) for column, name in ((user, "user"), (item, "item"))]
        frame.select(*numbers).write.mode("overwrite").parquet(str(folder))
        text.unlink()
    return spark.read.parquet(str(folder))


def has_header(text: pathlib.Path) -> bool:
    with open(text) as lines:
        return not any(letter.isdigit() for letter in lines.readline())


def digits(column: str):
    """ALS knows no other ids."""
    from pyspark.sql import functions as F

    return F.regexp_replace(column, "[^0-9]", "").cast("int")


# Times


def our_fit(frame, rank: int, **params):
    from sqmax.spark import RGp

    model = RGp(rank=rank, **params).fit(frame)
    return model, model.unpersist


def als_fit(frame, rank: int, **params):
    from pyspark.ml.recommendation import ALS
    from pyspark.sql import functions as F

    als = ALS(rank=rank, implicitPrefs=True, userCol="user", itemCol="item", ratingCol="rating")
    model = als.setParams(**{"maxIter": 10, **params}).fit(frame.withColumn("rating", F.lit(1.0)))
    return model, lambda: None


def seconds(fit, frame, rank: int) -> float:
    begin = time.monotonic()
    _, release = fit(frame, rank)
    taken = time.monotonic() - begin
    release()
    return taken


def compare_fits(spark, args, results: Results) -> None:
    frame = synthetic(spark, args, args.interactions)
    count = frame.count()
    found = results.part("fit", like=args.like, interactions=count, rank=args.rank, memory=args.memory)
    methods = {"rgp": our_fit, "als": als_fit}
    for name, fit in methods.items():
        if len(found.setdefault(name, [])) < args.rounds:
            fit(frame.limit(20000), 8)[1]()  # its runtime is warm
    for number in range(args.rounds):
        for name, fit in list(methods.items())[:: 1 if number % 2 == 0 else -1]:
            if len(found[name]) <= number:
                found[name].append(seconds(fit, frame, args.rank))
                results.save()
            print(f"round {number + 1}: {name} {found[name][number]:.1f} s", flush=True)
    ratios = [als / ours for als, ours in zip(found["als"], found["rgp"])]
    found["ratio"] = {"median": statistics.median(ratios), "least": min(ratios), "most": max(ratios)}
    results.save()
    print(f"fit: {found['ratio']['median']:.1f} times as fast as ALS ({count} interactions, rank {args.rank})")


# Quality


def log_uniform(random, low: float, high: float) -> float:
    return float(math.exp(random.uniform(math.log(low), math.log(high))))


def our_trial(random, number: int) -> dict:
    if number == 0:
        return {}
    return {
        "regParam": log_uniform(random, 2e-2, 0.5),
        "ridge": str(random.choice(["weighted", "frequency"])),
        "nu": float(random.uniform(0.4, 1.1)),
        "prior": float(random.uniform(0.0, 0.9)),
        "activity": float(random.uniform(0.1, 1.0)),
        "blend": float(random.uniform(0.3, 1.2)),
    }


def als_trial(random, number: int) -> dict:
    if number == 0:
        return {"maxIter": 10}
    return {
        "regParam": log_uniform(random, 1e-2, 5.0),
        "alpha": log_uniform(random, 0.5, 20.0),
        "maxIter": int(random.choice([5, 10, 15])),
    }


class Judge:
    """NDCG@10 by the library's own protocol, of vectors from either method."""

    def __init__(self, spark, path: str):
        import pandas
        import sqmax

        self.path = path
        self.dataset = sqmax.Dataset.load(path)
        rows, cols = self.dataset.train.nonzero()
        pairs = pandas.DataFrame({"user": rows.astype(np.int32), "item": cols.astype(np.int32)})
        self.frame = spark.createDataFrame(pairs).cache()
        self.frame.count()

    def of_als(self, model, part: str) -> float:
        import sqmax

        plain = sqmax.WRMF(factors=model.rank, iterations=1).fit(self.dataset, show_progress=False)
        plain.user_factors = self.vectors(model.userFactors, self.dataset.train.shape[0], model.rank)
        plain.item_factors = self.vectors(model.itemFactors, self.dataset.train.shape[1], model.rank)
        return sqmax.evaluate(plain, self.dataset, metrics="ndcg@10", part=part)["ndcg@10"]

    def of_ours(self, model, part: str) -> float:
        import sqmax

        # The frame has positions for ids; so has a model of the training matrix.
        plain = sqmax.RGp(factors=model.rank, iterations=1, links=0, alpha=0.0, **self.options(model))
        plain.fit(self.dataset, show_progress=False)
        plain.user_factors = self.vectors(model.userFactors, self.dataset.train.shape[0], model.rank)
        plain.item_factors = self.vectors(model.itemFactors, self.dataset.train.shape[1], model.rank)
        return sqmax.evaluate(plain, self.dataset, metrics="ndcg@10", part=part)["ndcg@10"]

    @staticmethod
    def options(model) -> dict:
        given = model._learned.declared.options
        return {name: given[name] for name in ("prior", "activity", "blend", "nu", "ridge")}

    @staticmethod
    def vectors(frame, rows: int, rank: int) -> np.ndarray:
        made = np.zeros((rows, rank), np.float32)
        for row in frame.collect():
            made[row["id"]] = row["features"]
        return made


def compare_quality(spark, args, results: Results) -> None:
    if not args.real:
        print("quality: no --real dataset was given")
        return
    judge = Judge(spark, args.real)
    found = results.part("quality", data=os.path.basename(args.real), trials=args.trials, rank=args.rank)
    for name, fit, trial, measure in (
        ("rgp", our_fit, our_trial, judge.of_ours),
        ("als", als_fit, als_trial, judge.of_als),
    ):
        random = np.random.default_rng(1)
        method = found.setdefault(name, {"done": 0})
        for number in range(args.trials):
            params = trial(random, number)
            if number < method["done"]:
                continue
            model, release = fit(judge.frame, args.rank, **params)
            valid = measure(model, "valid")
            if number == 0 or valid > method["valid"]:
                method.update(valid=valid, test=measure(model, "test"), params=params)
            release()
            method["done"] = number + 1
            results.save()
            print(f"{name} trial {number + 1}: {valid:.4f}, best {method['valid']:.4f}", flush=True)
        print(f"{name}: test NDCG@10 {method['test']:.4f}")


# Cost


def sweep_seconds(frame, rank: int, partitions: int) -> float:
    """The median sweep of a fit, after the first two."""
    from sqmax.spark import RGp
    from sqmax.spark import _estimator

    begins = []
    tell = _estimator.Fit.tell
    _estimator.Fit.tell = lambda fit, what: (begins.append(time.monotonic()), tell(fit, what))[1]
    try:
        RGp(rank=rank, maxIter=8, tol=0.0, numUserBlocks=partitions).fit(frame).unpersist()
    finally:
        _estimator.Fit.tell = tell
    return float(np.median(np.diff(begins)[-6:]))


def copies(frame, count: int):
    """The same items, and so many times the users."""
    from pyspark.sql import functions as F

    number = F.explode(F.array(*[F.lit(each) for each in range(count)])).alias("copy")
    return frame.select("user", "item", number).selectExpr(f"user * {count} + copy AS user", "item")


def measure_cost(spark, args, results: Results) -> None:
    frame = synthetic(spark, args, args.interactions)
    count = frame.count()
    found = results.part("cost", like=args.like, interactions=count, rank=args.rank, memory=args.memory)
    times, partitions = (1, 2, 3, 4), (2, 4, 8, 16, 32)
    by_interactions = found.setdefault("by_interactions", [])
    by_partitions = found.setdefault("by_partitions", [])
    if len(by_interactions) < len(times) or len(by_partitions) < len(partitions):
        sweep_seconds(frame, args.rank, 4)  # all runtimes are warm
    for each in times[len(by_interactions) :]:
        taken = sweep_seconds(copies(frame, each), args.rank, 4)
        by_interactions.append({"interactions": each * count, "seconds": taken})
        results.save()
        print(f"{each * count:>10} interactions in 4 partitions: {taken:.2f} s a sweep", flush=True)
    for each in partitions[len(by_partitions) :]:
        taken = sweep_seconds(frame, args.rank, each)
        by_partitions.append({"partitions": each, "seconds": taken})
        results.save()
        print(f"{count:>10} interactions in {each} partitions: {taken:.2f} s a sweep", flush=True)
    for name, key in (("by_interactions", "interactions"), ("by_partitions", "partitions")):
        x = np.array([row[key] for row in found[name]], float)
        y = np.array([row["seconds"] for row in found[name]])
        slope, base = np.polyfit(x, y, 1)
        rest = 1 - ((y - base - slope * x) ** 2).sum() / ((y - y.mean()) ** 2).sum()
        found[name + "_line"] = {"seconds_at_0": base, "seconds_each": slope, "r2": rest}
        print(f"{name}: {base:.2f} s + {slope:.3g} s each, R² {rest:.3f}")
    results.save()


def main():
    args = arguments()
    if os.getloadavg()[0] > 0.5:
        print(f"The machine is busy (load {os.getloadavg()[0]:.1f}): times will be rough.", file=sys.stderr)
    from cluster import Cluster, session

    steps = {"fit": compare_fits, "quality": compare_quality, "cost": measure_cost}
    args.results.mkdir(parents=True, exist_ok=True)
    results = Results(args.results / "spark.json", args.anew)
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(pathlib.Path(folder), workers=2, memory=args.memory)
        try:
            memory = {"spark.executor.memory": "3g", "spark.driver.memory": "3g"}
            spark = session(cluster.url, name="bench", **memory)
            for name in args.only.split(","):
                steps[name](spark, args, results)
            spark.stop()
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
