#!/usr/bin/env python3
"""Checks that includes follow the layers of docs/dev/architecture.md: a folder may use only the folders above it.

Prints every include that does not, and fails if there is one.
"""

import pathlib
import re
import sys

# Each folder with the folders it may use besides itself.
GAME = {"game"}
ENGINES = GAME | {"machine", "cpu", "cuda", "host/engines"}
SEARCH = ENGINES | {"host/dispatch", "host/search"}
ALLOWED = {
    "machine": set(),
    "cluster": set(),
    "game": GAME,
    "cpu": GAME | {"machine"},
    "cuda": GAME,
    "host/engines": ENGINES,
    "host/files": set(),
    "host/dispatch": GAME,
    "host/search": SEARCH,
    "host/tree": SEARCH - {"cpu", "cuda"},
    "host/anneal": SEARCH - {"cpu", "cuda"},
    "host/beam": SEARCH - {"cpu", "cuda"},
    "host/bounded": SEARCH - {"cpu", "cuda"},
    "host/dbs": SEARCH - {"cpu", "cuda"},
    "host/flat": SEARCH - {"cpu", "cuda"},
    "host/greedy": SEARCH - {"cpu", "cuda"},
    "host/nested": SEARCH - {"cpu", "cuda"},
    "host/nrpa": SEARCH - {"cpu", "cuda"},
    "host/analysis": GAME | {"host/dispatch"},
    "host/archive": GAME | {"host/files"},
    "host/log": GAME | {"host/search"},
    "host/run": GAME | {"machine", "host/engines", "host/files", "host/log", "host/search"},
    "host/reproduce": GAME | {"host/analysis", "host/dispatch", "host/engines", "host/run", "host/search"},
    "host/cluster": GAME | {"machine", "cluster", "host/engines", "host/run", "host/search"},
    "host/tune": GAME | {"host/engines", "host/files", "host/run", "host/search"},
    "api": GAME | {"host/archive", "host/cluster", "host/dispatch", "host/engines", "host/run", "host/search"},
    "python": {"api"},
    "host/record": GAME | {"host/archive", "host/engines", "host/files", "host/run", "host/search"},
}
# The table of all searches and the search that combines others know the searches by name.
EXCEPTIONS = {
    "host/search/registry.cpp": {
        "host/anneal",
        "host/beam",
        "host/bounded",
        "host/dbs",
        "host/flat",
        "host/greedy",
        "host/nested",
        "host/nrpa",
        "host/tree",
    },
    "host/search/auto.cpp": {"host/anneal", "host/tree"},
}


def layer_of(path):
    """The layer a path lies in, or None if the rules do not name one."""
    for layer in sorted(ALLOWED, key=len, reverse=True):
        if path.startswith(layer + "/"):
            return layer
    return path.split("/")[0] if path.startswith(("tools/", "tests/")) else None


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    known = {layer.split("/")[1] for layer in ALLOWED if layer.startswith("host/")}
    wrong = [
        f"host/{folder.name}: this folder has no layer yet; add it to {pathlib.Path(__file__).name}"
        for folder in sorted((root / "host").iterdir())
        if folder.is_dir() and folder.name not in known
    ]
    for layer, allowed in ALLOWED.items():
        for file in sorted((root / layer).rglob("*")):
            name = file.relative_to(root).as_posix()
            if file.suffix not in {".cpp", ".hpp", ".cu", ".cuh"}:
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                include = re.match(r'#include "([^"]+)"', line)
                used = layer_of(include.group(1)) if include else None
                if used and used != layer and used not in allowed | EXCEPTIONS.get(name, set()):
                    wrong.append(f"{name}:{number}: {layer} must not use {used}")
    print("\n".join(wrong) if wrong else "all includes follow the layers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
