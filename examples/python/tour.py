# A tour of the Python module in cells, for Jupyter (with jupytext), VS Code or Spyder; it also runs as a program:
#
#   python examples/python/tour.py [SECONDS]

# %% A board, as text and as an array
import sys

import numpy as np

import chainshot

seconds = float(sys.argv[1]) if len(sys.argv) == 2 else 5.0
board = chainshot.standard_boards()[0]
print(board.position)
colors, counts = np.unique(board.position.to_array(), return_counts=True)
print("blocks of each colour:", dict(zip(colors.tolist(), counts.tolist())))

# %% The greedy game: always the largest group
position = board.position
points = 0
while not position.is_over:
    moves = position.moves()
    largest = moves[moves["size"].argmax()]
    points += chainshot.group_points(position.play(largest["column"], largest["row"]))
points += chainshot.final_points(position)
print("the largest group at every move:", points, "points,", position.blocks, "blocks left")

# %% Random games: three policies on the same board
engine = chainshot.Engine()
for policy in ("random", "tabu-color-random", "tabu48"):
    games = engine.play(board.position, 20_000, policy=policy)
    print(f"{policy:20} mean {games.mean:6.1f}  deviation {games.deviation:5.1f}  best {games.best}")

# %% A histogram in the terminal; with matplotlib: plt.stairs(games.histogram, games.edges)
wide, edges = np.histogram(games.edges[:-1], bins=12, range=(games.worst, games.best), weights=games.histogram)
for low, count in zip(edges, wide):
    print(f"{low:6.0f} {'#' * round(60 * count / wide.max())}")

# %% All 20 boards in one call: which are easy at random?
boards = chainshot.standard_boards()
table = engine.play_many([b.position for b in boards], 5_000)
for i in np.argsort(-table.mean)[:3]:
    print(f"{boards[i].name}: mean {table.mean[i]:.0f}, best {table.best[i]}")

# %% A search that starts from the best random game, with its progress
best = []


def watch(now):
    if now.score is not None and (not best or now.score > best[-1]):
        best.append(now.score)


found = chainshot.solve(board.position, seconds=seconds, starts=[games.best_moves], progress=watch)
print(f"{found.score} points in {len(found.moves)} moves, by way of {best}")

# %% The line is what it claims to be, and can be kept
assert chainshot.replay(board.position, found.moves).score == found.score
print(chainshot.Solution(board.name, found.moves, score=found.score, scoring="standard"))
