"""One sweep of weighted matrix factorisation: both sides once, all minimising the same objective.

Ours weighs an observed pair 1 + α and everything else 1; implicit calls α what we call 1 + α, and irspack's
original loss adds its values to alpha0. Everybody takes three steps of conjugate gradients.
"""

import functools
import statistics

from suite import contest as contests
from suite import ranking

LAMBDA = 10.0
ALPHA = 10.0
CG_STEPS = 3
SWEEPS = 15  # after which quality is measured
TIMED = 3    # sweeps that are timed, not counting the first


def our_options(solver, sweeps):
    return ["--no-tune", "--loss", "wrmf", "--lambda", LAMBDA, "--alpha", ALPHA, "--links", "0", "--solver", solver,
            "--iterations", sweeps, *(["--cg-steps", CG_STEPS] if solver == "cg" else [])]


def ours(setup, solver):
    """The difference of two fits: what comes before the first sweep cancels."""
    def fit(sweeps):
        return setup.train(setup.dataset, our_options(solver, sweeps))["seconds"]["fit"]
    return {"seconds": (fit(1 + TIMED) - fit(1)) / TIMED}


def implicit_model(setup, use_cg, sweeps):
    model = setup.implicit(use_cg=use_cg, iterations=sweeps, regularization=LAMBDA, alpha=1.0 + ALPHA)
    model.cg_steps = CG_STEPS
    return model


def implicit(setup, use_cg):
    sweeps = []
    model = implicit_model(setup, use_cg, 2)
    model.fit(setup.parts["train"], show_progress=False, callback=lambda _, seconds, __: sweeps.append(seconds))
    return {"seconds": statistics.mean(sweeps)}


def irspack_trainer(setup, train, solver):
    from irspack.recommenders.ials import IALSTrainer, str_to_loss_type, str_to_solver_type
    return IALSTrainer(train * ALPHA, n_components=setup.rank, alpha0=1.0, reg=LAMBDA, nu=0.0, init_std=0.1,
                       solver_type=str_to_solver_type(solver), max_cg_steps=CG_STEPS, ialspp_subspace_dimension=64,
                       loss_type=str_to_loss_type("ORIGINAL"), random_seed=0, n_threads=setup.threads,
                       prediction_time_max_cg_steps=CG_STEPS, prediction_time_ialspp_iteration=1)


def irspack(setup, solver):
    trainer = irspack_trainer(setup, setup.parts["train"], solver)
    return {"seconds": statistics.mean(contests.timed(trainer.run_epoch)[0] for _ in range(2))}


def has_irspack():
    try:
        import irspack  # noqa: F401
    except ImportError:
        return False
    return True


def quality(setup):
    rows = []
    for solver in ("als", "cg"):
        answer = setup.train(setup.real_dataset, our_options(solver, SWEEPS), "real")
        rows.append({"method": f"sqmax {solver}", "valid": answer["valid"]["ndcg@10"], "test": answer["test"]["ndcg@10"]})
    parts = setup.real_parts
    for use_cg in (False, True):
        model = implicit_model(setup, use_cg, SWEEPS)
        model.fit(parts["train"], show_progress=False)
        rows.append({"method": "implicit CG" if use_cg else "implicit Cholesky",
                     **ranking.quality(model.user_factors, model.item_factors, parts)})
    for solver in ("CHOLESKY", "CG") if has_irspack() else ():
        trainer = irspack_trainer(setup, parts["train"], solver)
        for _ in range(SWEEPS):
            trainer.run_epoch()
        rows.append({"method": f"irspack {solver}",
                     **ranking.quality(trainer.core_trainer.user, trainer.core_trainer.item, parts)})
    return rows


def contest(setup):
    contestants = {"sqmax als": functools.partial(ours, setup, "als"),
                   "implicit Cholesky": functools.partial(implicit, setup, False),
                   "sqmax cg": functools.partial(ours, setup, "cg"),
                   "implicit CG": functools.partial(implicit, setup, True)}
    pairs = [["sqmax als", "implicit Cholesky", 8], ["sqmax cg", "implicit CG", 3]]
    if has_irspack():
        contestants |= {"irspack Cholesky": functools.partial(irspack, setup, "CHOLESKY"),
                        "irspack CG": functools.partial(irspack, setup, "CG")}
        pairs += [["sqmax als", "irspack Cholesky", None], ["sqmax cg", "irspack CG", None]]
    settings = setup.settings() | {"lambda": LAMBDA, "alpha": ALPHA, "cg_steps": CG_STEPS}
    return contests.Contest(name="sweep", title="One WRMF sweep", contestants=contestants, pairs=pairs,
                            settings=settings, quality=lambda: quality(setup))
