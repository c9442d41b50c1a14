#!/usr/bin/env python3
"""Rewrites data/records/standard20.txt with the best lines of archives.

A line is replaced only by a better one, with a comment that says how it was found. The program replays the new file
before it takes the place of the old one.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read_records(text):
    """Returns the comment at the head of the file, and score and text of the entry of every board."""
    head, _, body = text.partition("\n\n")
    records, lines, board, score = {}, [], None, 0
    for line in body.splitlines() + [""]:
        if board and (line == "" or line.startswith(("#", "board "))):
            if board in records:
                sys.exit(f"{board} has two lines; expected one")
            records[board] = (score, "\n".join(lines))
            lines, board = [], None
        if line != "":
            lines.append(line)
        if line.startswith("board "):
            board = line.split()[1]
        elif line.startswith("score "):
            score = int(line.split()[1])
    return head, records


def how_found(line):
    """Describes how a line of an archive was found, without the name of the machine."""
    if not line["search"]:
        return "imported, no more is known"
    parts = [f"search {line['search']}", f"preset {line['preset']}", f"seed {line['seed']}"]
    return ", ".join(parts + [f"chainshot {line['version']}", line["found"][:10]])


def entry(line):
    moves = " ".join(f"{column},{row}" for column, row in line["moves"])
    return (f"# {how_found(line)}\nboard {line['board']}\nscoring {line['scoring']}\n"
            f"score {line['score']}\nmoves {moves}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="+", metavar="ARCHIVE")
    parser.add_argument("--program", default=ROOT / "build/release/tools/chainshot", help="chainshot to run")
    parser.add_argument("--records", type=pathlib.Path, default=ROOT / "data/records/standard20.txt",
                        help="file to rewrite")
    options = parser.parse_args()

    head, records = read_records(options.records.read_text())
    before = {board: score for board, (score, _) in records.items()}
    for archive in options.archives:
        listed = subprocess.run([options.program, "archive", "list", archive, "--scoring", "standard", "--json"],
                                stdout=subprocess.PIPE, check=True)
        for line in json.loads(listed.stdout)["solutions"]:
            if line["board"] in records and line["score"] > records[line["board"]][0]:
                records[line["board"]] = (line["score"], entry(line))

    temporary = options.records.with_name(f".{options.records.name}.new")
    temporary.write_text("\n\n".join([head] + [text for _, text in records.values()]) + "\n")
    verified = subprocess.run([options.program, "verify", "standard", temporary], stdout=subprocess.PIPE, text=True)
    if verified.returncode != 0:
        temporary.unlink()
        sys.exit(f"{options.records} stays as it was, because a line does not replay:\n{verified.stdout}")
    os.replace(temporary, options.records)
    for board, (score, _) in records.items():
        if score > before[board]:
            print(f"{board} {before[board]} -> {score}")
    print(f"sum {sum(before.values())} -> {sum(score for score, _ in records.values())}")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # the program has said why
