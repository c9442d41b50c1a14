#!/usr/bin/env python3
"""Tunes settings of a search by CMA-ES, with `chainshot tune --evaluate` as the function to maximise.

Needs the Debian package python3-cmaes (or `cmaes` from PyPI). Values are tuned on a logarithmic scale, so they must be
above 0. Every generation plays new boards. All options after -- go to chainshot:

  tune_cmaes.py build/release/tools/chainshot sp-mcts c=1490,d=68 --generations 20 -- --boards 30 --time 1
"""

import argparse
import json
import math
import subprocess
import sys

import numpy
from cmaes import CMA


def values_at(point, names, whole):
    """Returns the values of a point, whose coordinates are logarithms, as the program takes them."""
    values = [math.exp(x) for x in point]
    return ",".join(f"{n}={max(1, round(v)) if n in whole else format(v, '.6g')}" for n, v in zip(names, values))


def mean_score(args, values, generation):
    """Plays one sample; the seed decides the boards, which the samples of a generation share."""
    seed = args.seed * 1_000_000 + generation
    command = [args.chainshot, "tune", args.preset, "--evaluate", values, "--seed", str(seed), "--json"] + args.rest
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return json.loads(done.stdout)["mean"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chainshot", help="the program")
    parser.add_argument("preset")
    parser.add_argument("start", help="values to start from: c=1490,d=68")
    parser.add_argument("--whole", default="", help="settings among them that are whole numbers: members,steps")
    parser.add_argument("--factor", type=float, default=2, help="first deviation, as a factor (default 2)")
    parser.add_argument("--population", type=int, help="samples of a generation (default from the number of settings)")
    parser.add_argument("--generations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    args = parser.parse_args(sys.argv[1:split])
    args.rest = sys.argv[split + 1:]

    start = dict(item.split("=", 1) for item in args.start.split(","))
    names, whole = list(start), set(filter(None, args.whole.split(",")))
    mean = numpy.array([math.log(float(value)) for value in start.values()])
    optimiser = CMA(mean=mean, sigma=math.log(args.factor), population_size=args.population, seed=args.seed)
    for generation in range(args.generations):
        told = []
        for _ in range(optimiser.population_size):
            point = optimiser.ask()
            told.append((point, -mean_score(args, values_at(point, names, whole), generation)))
        optimiser.tell(told)
        told.sort(key=lambda pair: pair[1])
        average = -sum(score for _, score in told) / len(told)
        # The method moves to a weighted mean of the best half; the version in Debian does not tell that mean.
        centre = numpy.mean([point for point, _ in told[: len(told) // 2]], axis=0)
        print(f"generation {generation + 1}: mean {average:.1f}, best {-told[0][1]:.1f} at "
              f"{values_at(told[0][0], names, whole)}; centre {values_at(centre, names, whole)}", flush=True)
    print(" ".join("--" + item.replace("=", " ") for item in values_at(centre, names, whole).split(",")))


if __name__ == "__main__":
    main()
