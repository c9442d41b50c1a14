"""Tests the Python module: arrays, playouts, searches, errors, Ctrl-C and types."""

import copy
import pathlib
import pickle
import re
import signal
import threading
import time
import unittest

import numpy as np

import chainshot
from chainshot import Engine, Position

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def first_board():
    return chainshot.standard_boards()[0].position


class Positions(unittest.TestCase):
    def test_arrays_and_rows_are_the_same_board(self):
        rows = ["1..", "00.", "A02"]
        colors = np.array([[1, -1, -1], [0, 0, -1], [10, 0, 2]])
        self.assertEqual(Position(rows), Position(colors))
        np.testing.assert_array_equal(Position(rows).to_array(), colors)
        self.assertEqual(Position(colors).to_rows(), rows)

    def test_moves_are_a_table(self):
        position = Position(["1..", "00.", "A02"])
        moves = position.moves()
        # The three 0 are connected; the leftmost of their lowest row is (1, 0).
        self.assertEqual(moves.tolist(), [(1, 0, 0, 3)])
        self.assertEqual(moves["size"].max(), 3)
        self.assertEqual(position.play(moves[0]["column"], moves[0]["row"]), 3)
        self.assertEqual(position.to_rows(), ["...", "1..", "A2."])
        self.assertTrue(position.is_over)
        self.assertEqual(len(position.moves()), 0)

    def test_copies_and_pickles_are_equal_and_apart(self):
        position = first_board()
        for other in (position.copy(), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
            self.assertEqual(other, position)
            self.assertEqual(hash(other), hash(position))
            move = other.moves()[0]
            other.play(move["column"], move["row"])
            self.assertNotEqual(other, position)

    def test_a_board_lends_no_part_of_itself(self):
        board = chainshot.Board("pair", Position(["00"]))
        board.position.play(0, 0)
        self.assertEqual(board.position.blocks, 2)

    def test_errors_are_sentences(self):
        with self.assertRaisesRegex(chainshot.InputError, "^rows of 2 and 1 cells; expected rows of one length$"):
            Position(["00", "0"])
        with self.assertRaisesRegex(ValueError, "the block has no equal neighbour in column 0, row 0"):
            Position(["01"]).play(0, 0)
        with self.assertRaisesRegex(chainshot.Error, "cannot read /no/such/file"):
            chainshot.read_boards("/no/such/file")


class Lines(unittest.TestCase):
    def test_replays_lists_and_arrays(self):
        position = Position(["11", "00"])
        self.assertEqual(chainshot.replay(position, [(0, 0), (1, 0)]).score, 1000)
        self.assertEqual(chainshot.replay(position, np.array([[0, 0]])).blocks_left, 2)
        self.assertEqual(chainshot.replay(position, []).score, 0)  # (2 - 2)^2 for each colour
        with self.assertRaisesRegex(chainshot.InputError, "these are no moves"):
            chainshot.replay(position, [1, 2, 3])

    def test_solutions_survive_the_way_through_text(self):
        text = str(chainshot.Solution("mine", [(1, 0), (0, 2)], score=7, scoring="total"))
        (line,) = chainshot.parse_solutions(text)
        self.assertEqual((line.board, line.scoring, line.score), ("mine", "total", 7))
        self.assertEqual(line.moves.tolist(), [[1, 0], [0, 2]])


class Playouts(unittest.TestCase):
    def test_histograms_are_arrays(self):
        played = Engine(threads=1).play(first_board(), 2000, policy="random", seed=3)
        self.assertEqual(played.count, 2000)
        self.assertEqual(played.histogram.sum(), 2000)
        self.assertEqual(len(played.edges), len(played.histogram) + 1)
        self.assertEqual(chainshot.replay(first_board(), played.best_moves).score, played.best)
        # With bins of one point the mean comes from the histogram, too.
        exact = Engine(threads=1).play(first_board(), 2000, policy="random", seed=3, bins=(-2000, 1, 10000))
        self.assertAlmostEqual((exact.histogram * exact.edges[:-1]).sum() / 2000, played.mean)

    def test_many_positions_are_a_table(self):
        engine = Engine(threads=2)
        positions = [first_board(), Position(["11", "00"])]
        table = engine.play_many(positions, 300, bins=(0, 50, 100))
        self.assertEqual(table.histogram.shape, (2, 100))
        self.assertEqual(table.mean.dtype, np.float64)
        self.assertEqual(table.mean[1], 1000)
        self.assertEqual(table[0].best, table.best[0])
        np.testing.assert_array_equal(table.histogram[0], engine.play(positions[0], 300, bins=(0, 50, 100)).histogram)

    def test_progress_stops_and_may_raise(self):
        engine = Engine(threads=1)
        calls = []
        played = engine.play(first_board(), 4_000_000_000, progress=lambda n: calls.append(n) or n == 0)
        self.assertLess(played.count, 4_000_000_000)
        self.assertGreater(calls[-1], 0)
        with self.assertRaises(ZeroDivisionError):
            engine.play(first_board(), 4_000_000_000, progress=lambda n: 1 // 0)

    def test_parameters_are_checked(self):
        with self.assertRaisesRegex(chainshot.InputError, "^epsilon does not apply to policy random"):
            Engine(threads=1).play(first_board(), policy="random", epsilon=0.1)
        with self.assertRaisesRegex(chainshot.InputError, "did you mean 'roulette'"):
            Engine(threads=1).play(first_board(), policy="roulete")


class Searches(unittest.TestCase):
    def test_the_line_has_the_score(self):
        seen = []
        found = chainshot.solve(first_board(), playouts=20_000, seconds=60, engine="cpu", progress=seen.append)
        self.assertEqual(chainshot.replay(first_board(), found.moves).score, found.score)
        self.assertEqual(seen[-1].score, found.score)
        self.assertEqual(seen[-1].moves.tolist(), found.moves.tolist())

    def test_settings_are_arguments(self):
        options = dict(preset="uct", playouts=200, engine="cpu", threads=1)
        chainshot.solve(first_board(), c=1, deterministic=True, **options)
        with self.assertRaisesRegex(chainshot.InputError, "virtual-visit is a|no setting of preset uct is called"):
            chainshot.solve(first_board(), virtual_visit=1, **options)
        with self.assertRaisesRegex(chainshot.InputError, "setting c is of another type; expected a number"):
            chainshot.solve(first_board(), c="much", **options)
        names = {setting.name: setting for setting in chainshot.settings("uct")}
        self.assertIsInstance(names["c"].value, float)

    def test_false_ends_the_search(self):
        found = chainshot.solve(first_board(), seconds=1000, engine="cpu", progress=lambda now: now.score is None)
        self.assertEqual(chainshot.replay(first_board(), found.moves).score, found.score)

    def test_starts_are_kept(self):
        known = Engine(threads=1).play(first_board(), 2000)
        found = chainshot.solve(first_board(), preset="greedy", starts=[known.best_moves])
        self.assertGreaterEqual(found.score, known.best)

    def test_ctrl_c_raises(self):
        # Where the signal is ignored at the start, Python has no handler for it.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        for work in (
            lambda: chainshot.solve(first_board(), seconds=1000, engine="cpu"),
            lambda: Engine(threads=1).play(first_board(), 4_000_000_000),
        ):
            timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                work()
            timer.join()

    def test_other_threads_run_meanwhile(self):
        ticks = []
        over = threading.Event()

        def tick():
            while not over.wait(0.01):
                ticks.append(time.monotonic())

        thread = threading.Thread(target=tick)
        thread.start()
        begun = time.monotonic()
        chainshot.solve(first_board(), seconds=1, engine="cpu", threads=1)
        ended = time.monotonic()
        over.set()
        thread.join()
        # Without other threads, ticks would come before and after the search alone.
        self.assertGreater(sum(begun + 0.3 < at < ended - 0.3 for at in ticks), 3)

    def test_values_of_numpy_are_settings_and_answers(self):
        found = chainshot.solve(
            first_board(), preset="anneal", playouts=20_000, islands=np.int64(1), deterministic=np.bool_(True)
        )
        self.assertGreater(found.score, 0)
        stopped = chainshot.solve(first_board(), seconds=1000, engine="cpu", progress=lambda now: np.bool_(False))
        self.assertLess(stopped.seconds, 900)

    def test_odd_arguments_are_refused(self):
        with self.assertRaises(chainshot.InputError):
            chainshot.solve(first_board(), preset="uct", playouts=100, engine="")
        with self.assertRaises(chainshot.InputError):
            Engine(threads=1).play(first_board(), 200, bins=(-(2**31) + 5000, 1, 10))
        with self.assertRaises(chainshot.InputError):
            chainshot.group_points(50, "points=n^6")


class Types(unittest.TestCase):
    def test_everything_public_has_a_type(self):
        folder = pathlib.Path(chainshot.__file__).parent
        self.assertTrue((folder / "py.typed").exists())
        typed = (folder / "_chainshot.pyi").read_text() + (folder / "errors.py").read_text()
        for name in set(chainshot.__all__) - {"__version__"}:
            self.assertRegex(typed, rf"(?m)^(class|def) {name}\b")

    def test_the_version_is_that_of_the_project(self):
        project = (SOURCE / "CMakeLists.txt").read_text()
        self.assertEqual(chainshot.__version__, re.search(r"VERSION (\S+)", project.split("project(chainshot")[1])[1])


class Archives(unittest.TestCase):
    def test_are_tables(self):
        # The archive of the fuzzer's corpus has one board.
        archive = chainshot.Archive(str(SOURCE / "tests/fuzz/corpus/archive/tiny.db"))
        boards = archive.boards()
        lines = archive.lines(only_best=True)
        self.assertEqual(len(boards), 1)
        self.assertIsInstance(boards[0]["position"], Position)
        for line in lines:
            self.assertEqual(
                chainshot.replay(boards[0]["position"], line["moves"], line["scoring"]).score, line["score"]
            )
        self.assertEqual(archive.lines(since="2999-01-01"), [])
        with self.assertRaisesRegex(chainshot.InputError, "no-such.db"):
            chainshot.Archive("no-such.db")


if __name__ == "__main__":
    unittest.main()
