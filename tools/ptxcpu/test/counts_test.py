"""Counts of the kernels in counts.ptx, by hand. usage: counts_test.py PROGRAM, the one built of counts.cpp"""
import csv
import os
import resource
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)


def tables(kernel):
    """The tables that a run of the kernel writes, as rows: of kernels, functions and lines."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'stats.tsv')
        subprocess.run([PROGRAM, kernel], env=dict(os.environ, PTXCPU_STATS=name), check=True)
        result = []
        for ending in ('', '.functions', '.lines'):
            with open(name + ending, encoding='utf-8') as f:
                result.append(list(csv.DictReader(f, delimiter='\t')))
    return result


def counts(kernel):
    """(instructions of all lanes, instructions the warp issues)"""
    rows = tables(kernel)[0]
    assert [row['kernel'] for row in rows] == [kernel], rows
    return int(rows[0]['instrs']), int(rows[0]['warp_instrs'])


class Counts(unittest.TestCase):
    def test_straight_code(self):
        self.assertEqual(counts('straight'), (32 * 3, 3))

    def test_if_else(self):
        # 3, then 3 for 24 lanes or 1 for 8, then 2
        self.assertEqual(counts('if_else'), (32 * 5 + 24 * 3 + 8, 3 + 3 + 1 + 2))

    def test_latch_before_header(self):
        # 3, 11 headers of 2, ten times (4, for half of the lanes 3, latch 1), 1
        self.assertEqual(counts('latch_first'), (32 * (3 + 22 + 50 + 1) + 160 * 3, 3 + 22 + 10 * (4 + 3 + 1) + 1))

    def test_early_exit(self):
        self.assertEqual(counts('early_exit'), (32 * 3 + 5 * 2, 3 + 2))

    def test_divergent_call(self):
        # 4 and 1 for all; the 16 odd lanes: 2 with the call, 3 + 3 in the function and 1 more if not below 4 (lanes 1
        # and 3 are), 1 after it
        self.assertEqual(counts('divergent_call'), (32 * 5 + 16 * (2 + 6 + 1) + 14, 5 + 2 + 3 + 1 + 3 + 1))

    def test_long_loops_are_counted_whole_in_little_memory(self):
        # 2, 4,000,000 + l turns of 3, 1; the warp takes as many as its longest lane
        turns = 4000000
        self.assertEqual(counts('long_loop'), (32 * (3 + 3 * turns) + 3 * 496, 3 + 3 * (turns + 31)))
        # 2, turns of 3 + 3, every 1000th 1 more, 1
        each = 3 + 6 * turns + turns // 1000
        self.assertEqual(counts('long_synced'), (32 * each, each))
        # a bit a turn and lane is 16 MB; two bits, if they were all kept, 32 MB
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 60000)

    def test_source(self):
        # 1 (line 30), 2 (line 20), lane 0 alone 1 (line 10), 1 (line 20), 2 (line 31)
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
