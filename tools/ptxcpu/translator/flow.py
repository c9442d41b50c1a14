"""Finds the basic blocks of a PTX function, how each ends, and where diverged lanes meet again.

A block ends at a label, or with an instruction of BLOCK_ENDS. Lanes that diverge at the end of a block meet at its
immediate post-dominator. Paths that end the thread (exit, trap) do not count, because nobody waits for a lane that has
ended.
"""

RETURNED = -1  # stands for the end of a function, as a successor and as a meeting point

# How a block ends, in the order of ptxcpu::Going.
FALLS, JUMPS, CHOOSES, CALLS, RETURNS, ENDS = range(6)
GOING = {'bra': JUMPS, 'brx': CHOOSES, 'call': CALLS, 'ret': RETURNS, 'exit': ENDS, 'trap': ENDS}
BLOCK_ENDS = tuple(GOING)


class Block:
    """A basic block. Targets are label names, or the name of the function for a call; `resolve` turns labels into
    numbers."""

    def __init__(self, line_index):
        self.line_index = line_index  # index of the C++ line that counts the block
        self.instructions = 0
        self.locations = {}           # source location or None -> number of instructions
        self.going = FALLS
        self.guarded = False
        self.targets = []
        self.follows = RETURNED       # the next block in the text
        self.meets = RETURNED

    def successors(self):
        """Returns the numbers of the blocks that may come next in the same function."""
        result = []
        if self.going in (JUMPS, CHOOSES):
            result += self.targets
        elif self.going == RETURNS:
            result.append(RETURNED)
        if self.guarded or self.going in (FALLS, CALLS):
            result.append(self.follows)
        return result


def resolve(blocks, labels):
    """Replaces the labels of jumps by block numbers and finds the meeting points of a function's blocks."""
    for number, block in enumerate(blocks):
        block.follows = number + 1 if number + 1 < len(blocks) else RETURNED
        if block.going in (JUMPS, CHOOSES):
            block.targets = [labels[name] if labels[name] < len(blocks) else RETURNED for name in block.targets]
    meeting_points = post_dominators([block.successors() for block in blocks])
    for block, meets in zip(blocks, meeting_points):
        block.meets = meets


def reaching(successors, wanted):
    """Returns the nodes from which some node with `wanted(node)` can be reached, including such nodes themselves."""
    before = {}
    for node, following in enumerate(successors):
        for other in following:
            before.setdefault(other, []).append(node)
    todo = [node for node in list(range(len(successors))) + [RETURNED] if wanted(node)]
    seen = set(todo)
    while todo:
        for node in before.get(todo.pop(), ()):
            if node not in seen:
                seen.add(node)
                todo.append(node)
    return seen


def post_dominators(successors):
    """Returns the immediate post-dominator of each node.

    This is the algorithm of Cooper, Harvey and Kennedy: A simple, fast dominance algorithm (2001), on the reversed
    graph. Nodes are numbered from 0, and RETURNED is the exit. The post-dominator of a node that never returns is the
    exit.
    """
    returning = reaching(successors, lambda node: node == RETURNED)
    edges = []
    for node, following in enumerate(successors):
        if node in returning:
            following = [other for other in following if other in returning]
        edges.append(following or [RETURNED])
    order = postorder_from_exit(edges)
    rank = {node: i for i, node in enumerate(order)}
    dominator = {RETURNED: RETURNED}

    def common(a, b):
        while a != b:
            while rank[a] < rank[b]:
                a = dominator[a]
            while rank[b] < rank[a]:
                b = dominator[b]
        return a

    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            found = None
            for other in edges[node]:
                if other in dominator:
                    found = other if found is None else common(found, other)
            if dominator.get(node) != found:
                dominator[node] = found
                changed = True
    return [dominator.get(node, RETURNED) for node in range(len(successors))]


def postorder_from_exit(edges):
    """Returns the nodes that can reach the exit, in postorder of a walk against the edges; the exit comes last."""
    before = {}
    for node, following in enumerate(edges):
        for other in following:
            before.setdefault(other, []).append(node)
    order = []
    seen = {RETURNED}
    stack = [(RETURNED, iter(before.get(RETURNED, ())))]
    while stack:
        node, rest = stack[-1]
        new = next((other for other in rest if other not in seen), None)
        if new is None:
            order.append(node)
            stack.pop()
        else:
            seen.add(new)
            stack.append((new, iter(before.get(new, ()))))
    return order
