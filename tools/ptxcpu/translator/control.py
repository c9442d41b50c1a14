"""Writes the C++ for PTX memory accesses, collectives and control flow.

Does not model: textures, tensor cores, clusters, bulk asynchronous copies (cp.async copies at once), indirect calls.
"""
from operands import CTYPES, SIZES, PtxError, address, bits, c_name, handles, members, pair, read, write


# ---- memory

SPACE_NUMBER = {'global': 1, 'const': 1, 'shared': 2, 'gen': 0}


def pointer(w, x, operand, space, size):
    code = 'char* p_=%s; ' % address(w, operand, space)
    if space in SPACE_NUMBER:
        code += 'CHECK_ACCESS(p_,%d,%d,"%s.%s",%d); ' % (size, SPACE_NUMBER[space], x.op, space, x.line)
    return code


@handles('ld', 'ldu', 'st')
def load_store(w, x):
    is_store = x.op == 'st'
    space = x.space(('global', 'shared', 'local', 'param', 'const'))
    strong = bool(x.first(('volatile', 'relaxed', 'acquire', 'release', 'mmio')))
    width = int(x.first(('v2', 'v4', 'v8'), 'v0')[1:])
    t = bits(x.type)
    n = SIZES[t]
    where, values = x.operands if is_store else x.operands[::-1]
    registers = [[v] for v in members(values)] if width else [values]
    code = pointer(w, x, where, space, n * max(1, width))
    if is_store:
        function_name = 'sta' if strong else 'st'
        return code + ' '.join('ptxcpu::%s<%s>(p_+%d,%s);' % (function_name, CTYPES[t], i * n, read(w, r, t))
                               for i, r in enumerate(registers))
    function_name = 'lda' if strong else 'ld'
    loads = ' '.join(write(w, r, t, 'ptxcpu::%s<%s>(p_+%d)' % (function_name, CTYPES[t], i * n))
                     for i, r in enumerate(registers))
    if strong:
        # A thread may spin on this value, so let the others run.
        w.collective = True
        if space in SPACE_NUMBER:
            code = 'ptxcpu::yield(t); ' + code
    return code + loads


ATOMIC = {'add': '(o+b_)', 'min': 'o<b_?o:b_', 'max': 'o>b_?o:b_', 'and': 'o&b_', 'or': 'o|b_', 'xor': 'o^b_',
          'exch': 'b_', 'inc': 'o>=b_?0:o+1', 'dec': '(o==0||o>b_)?b_:o-1'}


@handles('atom', 'red')
def atomic(w, x):
    t = x.type
    if t is None or x.first(('v2', 'v4')):
        raise PtxError('vector and packed forms are not supported')
    name = x.first(list(ATOMIC) + ['cas'])
    k = 1 if x.op == 'atom' else 0
    code = pointer(w, x, x.operands[k], x.space(('global', 'shared')), SIZES[t])
    code += '%s b_=%s; ' % (CTYPES[t], read(w, x.operands[k + 1], t))
    if name == 'cas':
        value = 'ptxcpu::cas<%s>(p_,b_,%s)' % (CTYPES[t], read(w, x.operands[k + 2], t))
    else:
        value = 'ptxcpu::rmw<%s>(p_,[&](%s o)->%s{return (%s)(%s);})' % (CTYPES[t], CTYPES[t], CTYPES[t], CTYPES[t],
                                                                ATOMIC[name])
    if x.op == 'red':
        return code + '(void)%s;' % value
    if name in ('cas', 'exch'):
        code = 'ptxcpu::yield(t); ' + code
    return code + write(w, x.operands[0], t, value)


@handles('cp')
def cp_async(w, x):
    if not x.has('async') or x.has('bulk') or x.has('mbarrier'):
        raise PtxError('this kind of copy is not supported')
    if x.first(('commit_group', 'wait_group', 'wait_all')):
        return ';'
    to, source, size, *rest = x.operands
    n = int(size[0])
    count = read(w, rest[0], 'u32') if rest else '%du' % n
    return ('char* d_; char* s_; { %s d_=p_; } { %s s_=p_; } uint32_t n_=%s; memset(d_,0,%d); memcpy(d_,s_,n_);'
            % (pointer(w, x, to, 'shared', n), pointer(w, x, source, 'global', n), count, n))


@handles('membar', 'fence')
def fence(_w, _x):
    return '__atomic_thread_fence(__ATOMIC_SEQ_CST);'


@handles('prefetch', 'prefetchu', 'griddepcontrol', 'discard', 'applypriority', 'pmevent')
def nothing(_w, _x):
    return ';'


# ---- collectives

@handles('bar', 'barrier')
def barrier(w, x):
    w.collective = True
    if x.has('cluster'):
        raise PtxError('cluster barriers are not supported')
    if x.has('warp'):
        return 'ptxcpu::warp_op(t,ptxcpu::kSyncWarp,%s,0,0,0,nullptr,%d);' % (read(w, x.operands[0], 'u32'), x.line)
    if x.has('red'):
        return barrier_reduction(w, x)
    number = read(w, x.operands[0], 'u32')
    count = read(w, x.operands[1], 'u32') if len(x.operands) > 1 else '0'
    waits = 'false' if x.has('arrive') else 'true'
    return 'ptxcpu::barrier(t,%s,%s,%s,0,false,%d);' % (number, count, waits, x.line)


def barrier_reduction(w, x):
    d, *rest = x.operands
    kind = 1 if x.has('popc') else 2 if x.has('and') else 3
    count = read(w, rest[1], 'u32') if len(rest) == 3 else '0'
    value = 'ptxcpu::barrier(t,%s,%s,true,%d,%s,%d)' % (read(w, rest[0], 'u32'), count, kind,
                                                   read(w, rest[-1], 'pred'), x.line)
    return write(w, d, 'u32' if kind == 1 else 'pred', value)


@handles('shfl')
def shfl(w, x):
    w.collective = True
    d, p = pair(x.operands[0])
    name = x.first(('up', 'down', 'bfly', 'idx')).capitalize()
    a, b, c, mask = (read(w, o, 'u32') for o in x.operands[1:])
    code = 'bool q_; uint32_t r_=(uint32_t)ptxcpu::warp_op(t,ptxcpu::kShuffle%s,%s,%s,%s,%s,&q_,%d); ' % (
        name, mask, a, b, c, x.line)
    code += write(w, d, 'u32', 'r_')
    return code + write(w, p, 'pred', 'q_') if p else code


@handles('vote')
def vote(w, x):
    w.collective = True
    d, a, mask = x.operands
    name = x.first(('all', 'any', 'uni', 'ballot'))
    t = 'u32' if name == 'ballot' else 'pred'
    return write(w, d, t, '(%s)ptxcpu::warp_op(t,ptxcpu::kVote%s,%s,%s,0,0,nullptr,%d)' % (
        CTYPES[t], name.capitalize(), read(w, mask, 'u32'), read(w, a, 'pred'), x.line))


@handles('match')
def match(w, x):
    w.collective = True
    d, p = pair(x.operands[0])
    name = ('Any' if x.has('any') else 'All') + x.type[1:]
    code = 'bool q_=false; uint32_t r_=(uint32_t)ptxcpu::warp_op(t,ptxcpu::kMatch%s,%s,%s,0,0,&q_,%d); ' % (
        name, read(w, x.operands[2], 'u32'), read(w, x.operands[1], 'u' + x.type[1:]), x.line)
    code += write(w, d, 'u32', 'r_')
    return code + write(w, p, 'pred', 'q_') if p else code


@handles('redux')
def redux(w, x):
    w.collective = True
    name = x.first(('add', 'min', 'max', 'and', 'or', 'xor')).capitalize()
    if name in ('Min', 'Max'):
        name += 'Signed' if x.type[0] == 's' else 'Unsigned'
    d, a, mask = x.operands
    return write(w, d, 'u32', 'ptxcpu::warp_op(t,ptxcpu::kReduce%s,%s,%s,0,0,nullptr,%d)' % (
        name, read(w, mask, 'u32'), read(w, a, 'u32'), x.line))


@handles('activemask')
def activemask(w, x):
    return write(w, x.operands[0], 'u32', '(1u<<t.lane)')


@handles('nanosleep')
def nanosleep(w, _x):
    w.collective = True
    return 'ptxcpu::yield(t);'


# ---- control flow

@handles('bra')
def bra(_w, x):
    return 'goto %s;' % c_name(x.operands[0][0])


@handles('brx')
def brx(w, x):
    names = w.targets[x.operands[1][0]]
    bits_needed = (len(names) - 1).bit_length()
    cases = ' '.join('case %d: goto %s;' % (i, c_name(n)) for i, n in enumerate(names))
    return 'switch(CHOSEN(%s,%d)){ %s default: __builtin_unreachable(); }' % (
        read(w, x.operands[0], 'u32'), bits_needed, cases)


@handles('ret')
def ret(_w, _x):
    return 'return;'


@handles('exit')
def leave(w, _x):
    if w.function.is_entry:
        return 'return;'
    w.collective = True
    return 'ptxcpu::texit(t);'


@handles('trap', 'brkpt')
def trap(_w, x):
    return 'ptxcpu::trap(t,"%s",%d);' % (x.op, x.line)


def call_printf(args, returns, _line):
    values = tuple(c_name(a) for a in args)
    return ('int r_=ptxcpu::vprintf_(ptxcpu::ld<char*>(%s),ptxcpu::ld<char*>(%s)); ' % values
            + 'ptxcpu::st<int>(%s,r_);' % c_name(returns[0]))


def call_assert(args, _returns, line):
    values = tuple(c_name(a) for a in args[:4])
    return ('fprintf(stderr,"device assert: %%s (%%s:%%u) in %%s\\n",ptxcpu::ld<char*>(%s),ptxcpu::ld<char*>(%s),'
            'ptxcpu::ld<uint32_t>(%s),ptxcpu::ld<char*>(%s)); ' % values + 'ptxcpu::trap(t,"assert",%d);' % line)


SYSTEM_CALLS = {'vprintf': call_printf, '__assertfail': call_assert}


@handles('call')
def call(w, x):
    operands = list(x.operands)
    returns = []
    if operands[0][0] == '(':
        returns = [t for t in operands.pop(0) if t not in '(),']
    name = operands[0][0]
    args = [t for t in operands[1] if t not in '(),'] if len(operands) > 1 else []
    if name in SYSTEM_CALLS:
        return SYSTEM_CALLS[name](args, returns, x.line)
    if name in w.registers:
        raise PtxError('indirect calls are not supported')
    w.calls.add(name)
    return '%s(t%s);' % (c_name(name), ''.join(', ' + c_name(v) for v in returns + args))
