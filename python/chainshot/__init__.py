"""chainshot finds high-scoring solutions of SameGame boards.

>>> import chainshot
>>> board = chainshot.standard_boards()[0]
>>> found = chainshot.solve(board.position, seconds=1)
>>> chainshot.replay(board.position, found.moves).score == found.score
True

docs/library.md teaches its use.
"""

from ._chainshot import (
    Archive,
    Board,
    Engine,
    PlayoutTable,
    Playouts,
    Position,
    Progress,
    Replay,
    Setting,
    Solution,
    SolveResult,
    final_points,
    generate_board,
    group_points,
    parse_boards,
    parse_solutions,
    policies,
    presets,
    read_boards,
    read_solutions,
    replay,
    scorings,
    settings,
    solve,
    standard_boards,
    version,
)
from .errors import Error, InputError

__version__ = version()

__all__ = [
    "Archive",
    "Board",
    "Engine",
    "Error",
    "InputError",
    "PlayoutTable",
    "Playouts",
    "Position",
    "Progress",
    "Replay",
    "Setting",
    "Solution",
    "SolveResult",
    "__version__",
    "final_points",
    "generate_board",
    "group_points",
    "parse_boards",
    "parse_solutions",
    "policies",
    "presets",
    "read_boards",
    "read_solutions",
    "replay",
    "scorings",
    "settings",
    "solve",
    "standard_boards",
]
