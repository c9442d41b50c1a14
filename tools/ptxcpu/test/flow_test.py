"""Tests where lanes meet again: post-dominators of small graphs, and the blocks that the translator finds in PTX."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', 'translator'))

import flow  # noqa: E402
from flow import CALLS, CHOOSES, ENDS, FALLS, JUMPS, RETURNED, RETURNS, post_dominators  # noqa: E402
from ptx_text import Module  # noqa: E402
from ptx_to_cpp import FunctionWriter  # noqa: E402


class PostDominators(unittest.TestCase):
    def test_a_straight_line_goes_block_by_block(self):
        self.assertEqual(post_dominators([[1], [2], [RETURNED]]), [1, 2, RETURNED])

    def test_both_sides_of_a_branch_meet_behind_it(self):
        self.assertEqual(post_dominators([[1, 2], [3], [3], [RETURNED]]), [3, 3, 3, RETURNED])

    def test_a_loop_is_left_at_its_exit(self):
        # 0 -> 2 (header); 1 (latch) -> 2; 2 -> 3 or 5; 3 -> 1 or 4; 4 -> 1
        self.assertEqual(post_dominators([[2], [2], [3, 5], [1, 4], [1], [RETURNED]]), [2, 2, 5, 1, 1, RETURNED])

    def test_two_returns_meet_at_the_end(self):
        self.assertEqual(post_dominators([[1, 2], [RETURNED], [RETURNED]]), [RETURNED] * 3)

    def test_the_exits_of_a_loop_meet_behind_it(self):
        # 0 -> 1 or 3; 1 -> 0 or 2; 2 -> 3; 3 returns. The exits of the loop meet in 3.
        self.assertEqual(post_dominators([[1, 3], [0, 2], [3], [RETURNED]]), [3, 3, 3, RETURNED])

    def test_a_path_that_ends_the_thread_does_not_count(self):
        # 0 -> 1 or 2; 1 -> 3 (exit) or 2; 2 returns
        self.assertEqual(post_dominators([[1, 2], [3, 2], [RETURNED], []]), [2, 2, RETURNED, RETURNED])

    def test_a_function_that_never_returns_has_no_meeting_point(self):
        self.assertEqual(post_dominators([[1, 2], [], []]), [RETURNED] * 3)
        self.assertEqual(post_dominators([[0]]), [RETURNED])
        self.assertEqual(post_dominators([[1], [0, 2], [2]]), [RETURNED] * 3)


PTX = '''
.version 8.0
.target sm_80
.address_size 64
.func helper() { ret; }
.visible .entry kernel() {
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra SECOND;
  call helper, ();
  @!%p1 exit;
SECOND:
  targets: .branchtargets FIRST, SECOND, LAST;
  brx.idx %r1, targets;
FIRST:
  add.u32 %r1, %r1, 1;
LAST:
  ret;
}
'''


class Blocks(unittest.TestCase):
    def setUp(self):
        module = Module(PTX)
        self.writer = FunctionWriter(module, module.functions[1])
        self.blocks = self.writer.blocks

    def test_blocks_end_where_lanes_may_diverge(self):
        self.assertEqual([b.going for b in self.blocks], [JUMPS, CALLS, ENDS, CHOOSES, FALLS, RETURNS])
        self.assertEqual([b.instructions for b in self.blocks], [3, 1, 1, 1, 1, 1])
        self.assertEqual([b.guarded for b in self.blocks], [True, False, True, False, False, False])

    def test_targets_of_jumps_are_block_numbers(self):
        self.assertEqual(self.blocks[0].targets, [3])
        self.assertEqual(self.blocks[1].targets, ['helper'])
        self.assertEqual(self.blocks[3].targets, [4, 3, 5])

    def test_lanes_meet_at_post_dominators(self):
        self.assertEqual([b.meets for b in self.blocks], [3, 2, 3, 5, 5, RETURNED])

    def test_every_choice_is_recorded(self):
        text = '\n'.join(self.writer.text())
        self.assertEqual(text.count('DECIDED('), 2)
        self.assertIn('CHOSEN((uint32_t)v_r1,2)', text)


if __name__ == '__main__':
    unittest.main()
