"""Writes the C++ for PTX moves, arithmetic, bit operations, comparisons and conversions.

Does not model: packed and bfloat types, flush-to-zero, the precision of .approx functions, video instructions.
"""
from operands import CTYPES, SIZES, UNSIGNED, PtxError, bits, c_name, handles, members, pair, read, write


# ---- moves

@handles('mov')
def mov(w, x):
    d, s = x.operands
    t = bits(x.type)
    if d[0] == '{':
        names = members(d)
        width = SIZES[t] * 8 // len(names)
        parts = ['%s=(%s)(t_>>%d);' % (c_name(n), UNSIGNED[width // 8], i * width)
                 for i, n in enumerate(names) if n != '_']
        return 'uint64_t t_=%s; %s' % (read(w, s, t), ' '.join(parts))
    if s[0] == '{':
        names = members(s)
        width = SIZES[t] * 8 // len(names)
        parts = ['((uint64_t)(%s)<<%d)' % (read(w, [n], 'u%d' % width), i * width) for i, n in enumerate(names)]
        return write(w, d, t, '|'.join(parts))
    return write(w, d, t, read(w, s, t))


@handles('selp')
def selp(w, x):
    d, a, b, c = x.operands
    t = bits(x.type)
    return write(w, d, t, '%s?%s:%s' % (read(w, c, 'pred'), read(w, a, t), read(w, b, t)))


@handles('slct')
def slct(w, x):
    d, a, b, c = x.operands
    t = 'b' + x.types[0][1:]
    return write(w, d, t, '%s>=0?%s:%s' % (read(w, c, x.types[1]), read(w, a, t), read(w, b, t)))


# ---- arithmetic

DIRECTED = {'rz': 'FE_TOWARDZERO', 'rm': 'FE_DOWNWARD', 'rp': 'FE_UPWARD'}


def in_rounding_mode(x, result, form, operands):
    """Writes a floating-point expression; operands are pairs (C++ type, text) that fill the form."""
    mode = DIRECTED.get(x.first(DIRECTED))
    if not mode:
        return '(%s)' % (form % tuple(text for _, text in operands))
    names = tuple('o%d_' % i for i in range(len(operands)))
    volatiles = ' '.join('volatile %s %s=%s;' % (ctype, n, text) for n, (ctype, text) in zip(names, operands))
    return 'ptxcpu::rounded<%s>(%s,[&]()->%s{ %s return %s; })' % (result, mode, result, volatiles, form % names)


def float_arithmetic(w, x):
    forms = {'add': '%s+%s', 'sub': '%s-%s', 'mul': '%s*%s', 'div': '%s/%s', 'mad': 'std::fma(%s,%s,%s)',
             'fma': 'std::fma(%s,%s,%s)'}
    ctype = CTYPES[x.type]
    value = in_rounding_mode(x, ctype, forms[x.op], [(ctype, read(w, o, x.type)) for o in x.operands[1:]])
    if x.has('sat'):
        value = 'ptxcpu::sat01<%s>(%s)' % (CTYPES[x.type], value)
    return write(w, x.operands[0], x.type, value)


def with_carry(w, x, left, sign, right, carry_in):
    """Writes a 128-bit operation that reads and sets the carry flag as the modifiers say."""
    n = SIZES[x.type]
    u = 'u%d' % (8 * n)
    carry_out = 'cc=(t_>>%d)&1; ' % (8 * n) if x.has('cc') else ''
    total = 'unsigned __int128 t_=(unsigned __int128)%s%s%s%s%s; ' % (
        left, sign, right, sign, '(cc?1:0)' if carry_in else '0')
    return total + carry_out + write(w, x.operands[0], u, '(%s)t_' % CTYPES[u])


@handles('add', 'sub', 'addc', 'subc')
def add(w, x):
    if x.type[0] == 'f':
        return float_arithmetic(w, x)
    d, a, b = x.operands
    sign = '+' if x.op.startswith('add') else '-'
    u = 'u%d' % (8 * SIZES[x.type])
    if x.op in ('addc', 'subc') or x.has('cc'):
        return with_carry(w, x, read(w, a, u), sign, read(w, b, u), x.op.endswith('c'))
    if x.has('sat'):
        value = 'ptxcpu::satcvt<int32_t>((int64_t)%s%s(int64_t)%s)' % (read(w, a, x.type), sign, read(w, b, x.type))
        return write(w, d, x.type, value)
    return write(w, d, u, '(%s)(%s%s%s)' % (CTYPES[u], read(w, a, u), sign, read(w, b, u)))


def wide_product(w, x):
    n = SIZES[x.type]
    u = 'u%d' % (16 * n)
    wide = CTYPES[('s' if x.type[0] == 's' else 'u') + str(16 * n)]
    a, b = (read(w, o, x.type) for o in x.operands[1:3])
    value = '(%s)((%s)%s*(%s)%s)' % (CTYPES[u], wide, a, wide, b)
    if x.op == 'mad':
        value += '+' + read(w, x.operands[3], u)
    return write(w, x.operands[0], u, value)


def product(w, x):
    """Writes the low or high half of an integer product."""
    n = SIZES[x.type]
    u = 'u%d' % (8 * n)
    if x.has('hi'):
        wide = '__int128' if x.type[0] == 's' else 'unsigned __int128'
        a, b = (read(w, o, x.type) for o in x.operands[1:3])
        return '(%s)(((%s)%s*(%s)%s)>>%d)' % (CTYPES[u], wide, a, wide, b, 8 * n)
    a, b = (read(w, o, u) for o in x.operands[1:3])
    return '(%s)((uint64_t)%s*%s)' % (CTYPES[u], a, b)


@handles('mul', 'mad', 'fma', 'madc')
def mul(w, x):
    if x.type[0] == 'f':
        return float_arithmetic(w, x)
    if x.has('wide'):
        return wide_product(w, x)
    u = 'u%d' % (8 * SIZES[x.type])
    if x.op == 'mul':
        return write(w, x.operands[0], u, product(w, x))
    addend = read(w, x.operands[3], u)
    if x.op == 'mad' and not x.has('cc'):
        return write(w, x.operands[0], u, '%s+%s' % (product(w, x), addend))
    return with_carry(w, x, product(w, x), '+', addend, x.op == 'madc')


@handles('div', 'rem')
def div(w, x):
    d, a, b = x.operands
    t = x.type
    left = read(w, a, t)
    if t[0] == 'f':
        return float_arithmetic(w, x)
    is_div = x.op == 'div'
    usual = write(w, d, t, '%s%sb_' % (left, '/' if is_div else '%'))
    if t[0] == 's':
        negated = '(%s)-(%s)%s' % (CTYPES[t], UNSIGNED[SIZES[t]], left)
        by_minus_one = write(w, d, t, negated if is_div else '0')
        usual = 'if (b_==-1) { %s } else { %s }' % (by_minus_one, usual)
    by_zero = write(w, d, t, '-1' if is_div else left)
    return '%s b_=%s; if (b_==0) { %s } else { %s }' % (CTYPES[t], read(w, b, t), by_zero, usual)


@handles('min', 'max')
def min_max(w, x):
    d, a, b = x.operands
    t = x.type
    if t[0] == 'f':
        return write(w, d, t, 'ptxcpu::f%s_<%s>(%s,%s)' % (x.op, CTYPES[t], read(w, a, t), read(w, b, t)))
    choice = write(w, d, t, 'a_%sb_?a_:b_' % ('<' if x.op == 'min' else '>'))
    return '%s a_=%s,b_=%s; %s' % (CTYPES[t], read(w, a, t), read(w, b, t), choice)


@handles('abs')
def absolute(w, x):
    d, a = x.operands
    t = x.type
    if t[0] == 'f':
        return write(w, d, t, 'std::fabs(%s)' % read(w, a, t))
    value = 'a_<0?(%s)-(%s)a_:a_' % (CTYPES[t], UNSIGNED[SIZES[t]])
    return '%s a_=%s; %s' % (CTYPES[t], read(w, a, t), write(w, d, t, value))


@handles('neg')
def neg(w, x):
    d, a = x.operands
    t = x.type
    if t[0] == 'f':
        return write(w, d, t, '-%s' % read(w, a, t))
    return write(w, d, t, '(%s)-(%s)%s' % (CTYPES[t], UNSIGNED[SIZES[t]], read(w, a, t)))


@handles('sad')
def sad(w, x):
    d, a, b, c = x.operands
    t = x.type
    value = '%s+(a_<b_?b_-a_:a_-b_)' % read(w, c, t)
    return '%s a_=%s,b_=%s; %s' % (CTYPES[t], read(w, a, t), read(w, b, t), write(w, d, t, value))


@handles('dp4a')
def dp4a(w, x):
    types = ','.join('int8_t' if t[0] == 's' else 'uint8_t' for t in x.types)
    values = ','.join(read(w, o, 'u32') for o in x.operands[1:])
    return write(w, x.operands[0], 'u32', 'ptxcpu::dp4a<%s>(%s)' % (types, values))


FUNCTIONS = {'rcp': '1/(%s)', 'sqrt': 'std::sqrt(%s)', 'rsqrt': '1/std::sqrt(%s)', 'sin': 'std::sin(%s)',
             'cos': 'std::cos(%s)', 'ex2': 'std::exp2(%s)', 'lg2': 'std::log2(%s)', 'tanh': 'std::tanh(%s)'}


@handles(*FUNCTIONS)
def function(w, x):
    operand = (CTYPES[x.type], read(w, x.operands[1], x.type))
    return write(w, x.operands[0], x.type, in_rounding_mode(x, CTYPES[x.type], FUNCTIONS[x.op], [operand]))


@handles('copysign')
def copysign(w, x):
    d, a, b = x.operands
    return write(w, d, x.type, 'std::copysign(%s,%s)' % (read(w, b, x.type), read(w, a, x.type)))


@handles('testp')
def testp(w, x):
    tests = {'finite': 'std::isfinite(%s)', 'infinite': 'std::isinf(%s)', 'notanumber': 'std::isnan(%s)',
             'number': '!std::isnan(%s)', 'normal': 'std::isnormal(%s)',
             'subnormal': '(std::fpclassify(%s)==FP_SUBNORMAL)'}
    return write(w, x.operands[0], 'pred', tests[x.modifiers[0]] % read(w, x.operands[1], x.type))


# ---- bits

@handles('and', 'or', 'xor')
def logic(w, x):
    d, a, b = x.operands
    sign = {'and': '&', 'or': '|', 'xor': '^'}[x.op]
    return write(w, d, x.type, '%s%s%s' % (read(w, a, x.type), sign, read(w, b, x.type)))


@handles('not')
def complement(w, x):
    sign = '!' if x.type == 'pred' else '~'
    return write(w, x.operands[0], x.type, sign + read(w, x.operands[1], x.type))


@handles('cnot')
def cnot(w, x):
    return write(w, x.operands[0], x.type, '%s==0?1:0' % read(w, x.operands[1], x.type))


@handles('shl', 'shr')
def shift(w, x):
    d, a, b = x.operands
    t = x.type if x.op == 'shr' and x.type[0] == 's' else 'u' + x.type[1:]
    return write(w, d, t, 'ptxcpu::%s<%s>(%s,%s)' % (x.op, CTYPES[t], read(w, a, t), read(w, b, 'u32')))


@handles('shf')
def funnel_shift(w, x):
    d, a, b, c = x.operands
    amount = 'uint32_t n_=%s; %s' % (read(w, c, 'u32'), 'n_&=31; ' if x.has('wrap') else 'if(n_>32) n_=32; ')
    value = 'uint64_t v_=((uint64_t)%s<<32)|%s; ' % (read(w, b, 'u32'), read(w, a, 'u32'))
    result = '(uint32_t)(v_>>n_)'
    if x.has('l'):
        result = 'n_==32?(uint32_t)v_:(uint32_t)((v_<<n_)>>32)'
    return amount + value + write(w, d, 'u32', result)


@handles('bfe')
def bfe(w, x):
    d, a, b, c = x.operands
    t = x.type
    return write(w, d, t, 'ptxcpu::bfe<%s>(%s,%s,%s)'
                 % (CTYPES[t], read(w, a, t), read(w, b, 'u32'), read(w, c, 'u32')))


@handles('bfi')
def bfi(w, x):
    d, a, b, c, length = x.operands
    u = 'u' + x.type[1:]
    return write(w, d, u, 'ptxcpu::bfi<%s>(%s,%s,%s,%s)' % (CTYPES[u], read(w, a, u), read(w, b, u),
                                                       read(w, c, 'u32'), read(w, length, 'u32')))


@handles('bfind')
def bfind(w, x):
    value = 'ptxcpu::bfind<%s>(%s,%s)' % (CTYPES[x.type], read(w, x.operands[1], x.type),
                                      'true' if x.has('shiftamt') else 'false')
    return write(w, x.operands[0], 'u32', value)


@handles('bmsk')
def bmsk(w, x):
    d, a, b = x.operands
    value = 'ptxcpu::shl<uint32_t>(b_>=32?~0u:((1u<<b_)-1u),a_)'
    return 'uint32_t a_=%s,b_=%s; %s' % (read(w, a, 'u32'), read(w, b, 'u32'), write(w, d, 'u32', value))


@handles('brev')
def brev(w, x):
    return write(w, x.operands[0], x.type, 'ptxcpu::brev%s(%s)' % (x.type[1:], read(w, x.operands[1], x.type)))


@handles('popc')
def popc(w, x):
    value = read(w, x.operands[1], 'u' + x.type[1:])
    return write(w, x.operands[0], 'u32', '__builtin_popcountll((uint64_t)%s)' % value)


@handles('clz')
def clz(w, x):
    u = 'u' + x.type[1:]
    value = 'a_?__builtin_clz%s(a_):%s' % ('ll' if u == 'u64' else '', u[1:])
    return '%s a_=%s; %s' % (CTYPES[u], read(w, x.operands[1], u), write(w, x.operands[0], 'u32', value))


@handles('prmt')
def prmt(w, x):
    modes = ['f4e', 'b4e', 'rc8', 'ecl', 'ecr', 'rc16']
    mode = x.first(modes)
    number = modes.index(mode) + 1 if mode else 0
    a, b, c = (read(w, o, 'u32') for o in x.operands[1:])
    return write(w, x.operands[0], 'u32', 'ptxcpu::prmt(%s,%s,%s,%d)' % (a, b, c, number))


@handles('lop3')
def lop3(w, x):
    if x.modifiers[0] in ('or', 'and'):
        raise PtxError('the BoolOp form is not supported')
    values = ','.join(read(w, o, 'u32') for o in x.operands[1:])
    return write(w, x.operands[0], 'u32', 'ptxcpu::lop3<uint32_t>(%s)' % values)


# ---- comparison and conversion

COMPARE = {'eq': '==', 'ne': '!=', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>=',
           'lo': '<', 'ls': '<=', 'hi': '>', 'hs': '>='}


def comparison(name, is_float):
    unordered = '(a_!=a_||b_!=b_)'
    if not is_float:
        return '(a_%sb_)' % COMPARE[name]
    if name == 'num':
        return '!' + unordered
    if name == 'nan':
        return unordered
    if name in ('equ', 'neu', 'ltu', 'leu', 'gtu', 'geu'):
        return '(%s||a_%sb_)' % (unordered, COMPARE[name[:2]])
    if name == 'ne':
        return '(!%s&&a_!=b_)' % unordered
    return '(a_%sb_)' % COMPARE[name]


@handles('setp', 'set')
def setp(w, x):
    name = x.modifiers[0]
    kind = x.types[-1]
    if name in ('lo', 'ls', 'hi', 'hs'):
        kind = 'u' + kind[1:]
    a, b = (read(w, o, kind) for o in x.operands[1:3])
    code = 'auto a_=%s; auto b_=%s; bool c_=%s; ' % (a, b, comparison(name, kind[0] == 'f'))
    sign = {'and': '&&', 'or': '||', 'xor': '!='}.get(x.first(('and', 'or', 'xor')))
    yes, no = 'c_', '!c_'
    if sign:
        other = read(w, x.operands[3], 'pred')
        yes, no = '(c_%s%s)' % (sign, other), '(!c_%s%s)' % (sign, other)
    p, q = pair(x.operands[0])
    if x.op == 'set':
        form = '%s?1.0f:0.0f' if x.types[0] == 'f32' else '%s?-1:0'
        return code + write(w, p, x.types[0], form % yes)
    if not q:
        return code + write(w, p, 'pred', yes)
    code += 'bool x1_=%s,x2_=%s; ' % (yes, no)
    return code + write(w, p, 'pred', 'x1_') + write(w, q, 'pred', 'x2_')


@handles('cvt')
def cvt(w, x):
    if len(x.types) < 2:
        raise PtxError('these types are not supported')
    to, source = x.types[:2]
    a = read(w, x.operands[1], source)
    rounding = {'rni': 'std::nearbyint', 'rzi': 'std::trunc', 'rmi': 'std::floor', 'rpi': 'std::ceil'}
    rounded = rounding.get(x.first(rounding))
    if to[0] != 'f' and source[0] != 'f':
        value = 'ptxcpu::satcvt<%s>(%s)' % (CTYPES[to], a) if x.has('sat') else '(%s)%s' % (CTYPES[to], a)
        return write(w, x.operands[0], to, value)
    if to[0] != 'f':
        return write(w, x.operands[0], to, 'ptxcpu::f2i<%s>(%s(%s))' % (CTYPES[to], rounded, a))
    value = in_rounding_mode(x, CTYPES[to], '(' + CTYPES[to] + ')%s', [(CTYPES[source], a)])
    if source[0] == 'f' and rounded:
        value = '(%s)%s(%s)' % (CTYPES[to], rounded, a)
    if x.has('sat'):
        value = 'ptxcpu::sat01<%s>(%s)' % (CTYPES[to], value)
    return write(w, x.operands[0], to, value)


@handles('cvta')
def cvta(w, x):
    value = read(w, x.operands[1], 'u64')
    if x.space(('shared',)) == 'shared':
        value = '(uint64_t)((char*)%s-t.sh)' % value if x.has('to') else '(uint64_t)(t.sh+%s)' % value
    return write(w, x.operands[0], 'u64', value)


@handles('isspacep')
def isspacep(w, x):
    if x.space(('shared',)) != 'shared':
        raise PtxError('only shared memory is supported')
    value = '(%s-(uint64_t)t.sh)<(DYN_OFF+t.b->dynsize)' % read(w, x.operands[1], 'u64')
    return write(w, x.operands[0], 'pred', value)
