"""What the comparisons share: the data, the programs, and calls of sqmax and implicit."""

import functools
import pathlib

from suite import program, results, tensors

# Where RG² and RGp have a closed form: no extra confidence, no links, a ridge like the weights.
EXACT = {"rgp": ["--loss", "rgp", "--alpha", "0", "--ridge", "weighted", "--links", "0", "--solver", "exact"],
         "rg2": ["--loss", "rg2", "--ridge", "weighted", "--links", "0", "--solver", "exact"]}


class Setup:
    """Paths and options of a run; data is made when somebody asks for it."""

    def __init__(self, args):
        self.sqmax = args.sqmax
        self.times = args.times
        self.like = args.like
        self.rank = args.rank
        self.threads = args.threads
        self.folder = pathlib.Path(args.data)
        self.real = args.real

    def settings(self):
        """Results of other settings, or of another program, are not mixed."""
        return {"like": self.like, "rank": self.rank, "threads": self.threads,
                "real": pathlib.Path(self.real).name if self.real else "Debian dependencies",
                "program": results.fingerprint(self.sqmax)}

    @functools.cached_property
    def raw(self):
        return program.made(self.folder / f"{self.like}.tsv", self.sqmax, "synth", "--like", self.like)

    @functools.cached_property
    def dataset(self):
        return program.made(self.folder / f"{self.like}.safetensors", self.sqmax, "prepare", self.raw)

    @functools.cached_property
    def parts(self):
        return tensors.parts(self.dataset)

    @functools.cached_property
    def real_dataset(self):
        """The one that was named, else the graph that comes with the repository."""
        if self.real:
            return pathlib.Path(self.real)
        graph = pathlib.Path(__file__).parents[2] / "examples" / "data" / "debian-12-dependencies.tsv.zst"
        return program.made(self.folder / "debian.safetensors", self.sqmax, "prepare", graph, "--kcore", "5")

    @functools.cached_property
    def real_parts(self):
        return tensors.parts(self.real_dataset)

    def train(self, dataset, options, model="model"):
        return program.answer(self.sqmax, "train", dataset, "--rank", self.rank, "--threads", self.threads,
                              "-o", self.folder / f"{model}.safetensors", *options)

    def library_call(self, *words):
        """Seconds of one call of the library, and what it found."""
        return program.json.loads(program.checked([self.times, "--threads", self.threads, *words]))

    @functools.cached_property
    def ranked_model(self):
        """A model whose scores are inner products of `rank` numbers, for everybody to rank by."""
        self.train(self.dataset, ["--no-tune", *EXACT["rg2"]], "ranked")
        return self.folder / "ranked.safetensors"

    def implicit(self, **options):
        from implicit.als import AlternatingLeastSquares
        return AlternatingLeastSquares(**{"factors": self.rank, "num_threads": self.threads,
                                          "random_state": 0, **options})

    def implicit_with_our_vectors(self):
        vectors = tensors.load(self.ranked_model)
        model = self.implicit()
        model.user_factors, model.item_factors = (vectors[f"{side}_vectors"].copy() for side in ("user", "item"))
        return model
