"""Compares the counts of the kernels in counts.ptx with counts made by hand.

usage: counts_test.py PROGRAM, which is built from counts.cpp
"""
import csv
import os
import resource
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)


def tables(kernel):
    """Runs the kernel and returns the rows of the tables it writes: of kernels, functions and lines."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'stats.tsv')
        subprocess.run([PROGRAM, kernel], env=dict(os.environ, PTXCPU_STATS=name), check=True)
        result = []
        for ending in ('', '.functions', '.lines'):
            with open(name + ending, encoding='utf-8') as f:
                result.append(list(csv.DictReader(f, delimiter='\t')))
    return result


def counts(kernel):
    """Returns (instructions of all lanes, instructions that the warp issues)."""
    rows = tables(kernel)[0]
    assert [row['kernel'] for row in rows] == [kernel], rows
    return int(rows[0]['instrs']), int(rows[0]['warp_instrs'])


class Counts(unittest.TestCase):
    def test_a_warp_issues_straight_code_once(self):
        self.assertEqual(counts('straight'), (32 * 3, 3))

    def test_a_warp_issues_both_sides_of_a_branch(self):
        # All lanes execute 3, then 24 lanes execute 3 and 8 lanes 1, then all execute 2.
        self.assertEqual(counts('if_else'), (32 * 5 + 24 * 3 + 8, 3 + 3 + 1 + 2))

    def test_lanes_meet_in_a_latch_before_the_header(self):
        # The entry has 3; the header has 2 and is passed 11 times; each of ten turns has 4, 3 more for half of the
        # lanes, and 1 in the latch; the end has 1.
        self.assertEqual(counts('latch_first'), (32 * (3 + 22 + 50 + 1) + 160 * 3, 3 + 22 + 10 * (4 + 3 + 1) + 1))

    def test_nobody_waits_for_lanes_that_exit_early(self):
        self.assertEqual(counts('early_exit'), (32 * 3 + 5 * 2, 3 + 2))

    def test_only_the_lanes_that_call_execute_the_function(self):
        # All lanes execute 4 at the start and 1 at the end. The 16 odd lanes also execute 2 up to the call, 3 + 3 in
        # the function and 1 after it; in the function all but lanes 1 and 3, which are below 4, execute 1 more.
        self.assertEqual(counts('divergent_call'), (32 * 5 + 16 * (2 + 6 + 1) + 14, 5 + 2 + 3 + 1 + 3 + 1))

    def test_long_loops_are_counted_whole_in_little_memory(self):
        # Lane l executes 2, then 4,000,000 + l turns of 3, then 1. The warp takes as many turns as its longest lane.
        turns = 4000000
        self.assertEqual(counts('long_loop'), (32 * (3 + 3 * turns) + 3 * 496, 3 + 3 * (turns + 31)))
        # Each lane executes 2, then turns of 3 + 3 with 1 more in every 1000th, then 1.
        each = 3 + 6 * turns + turns // 1000
        self.assertEqual(counts('long_synced'), (32 * each, each))
        # One bit per turn and lane takes 16 MB; two bits would take 32 MB if all of them were kept.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 60000)

    def test_instructions_are_counted_per_function_and_line(self):
        # In order: 1 from line 30, 2 from line 20, 1 from line 10 for lane 0 only, 1 from line 20, 2 from line 31.
        _, functions, lines = tables('sourced')
        self.assertEqual([list(row.values()) for row in functions],
                         [['sourced', 'sourced', '7', str(6 * 32 + 1), '3'],
                          ['sourced', 'outer()', '4', str(3 * 32 + 1), '3'],
                          ['sourced', 'inner()', '1', '1', '1']])
        self.assertEqual([list(row.values()) for row in lines],
                         [['sourced', 'outer()', 'counts.cu:20', '3', '96'],
                          ['sourced', 'sourced', 'counts.cu:31', '2', '64'],
                          ['sourced', 'inner()', 'counts.cu:10', '1', '1'],
                          ['sourced', 'sourced', 'counts.cu:30', '1', '32']])


if __name__ == '__main__':
    unittest.main()
