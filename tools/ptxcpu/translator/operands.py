"""Instructions, operands and the table of instruction handlers.

A handler takes the FunctionWriter (scopes of registers and variables) and the Instruction and returns C++ text; the
@handles decorator registers it. arithmetic.py holds the handlers of moves, arithmetic, comparisons and conversions;
control.py holds those of memory, collectives and control flow. To add an instruction, write a handler there, with
helpers in ptxcpu.hpp where C++ and PTX semantics differ.
"""
import re

from flow import BLOCK_ENDS
from ptx_text import SIZES, PtxError

CTYPES = {'u8': 'uint8_t', 's8': 'int8_t', 'b8': 'uint8_t', 'u16': 'uint16_t', 's16': 'int16_t', 'b16': 'uint16_t',
          'u32': 'uint32_t', 's32': 'int32_t', 'b32': 'uint32_t', 'u64': 'uint64_t', 's64': 'int64_t',
          'b64': 'uint64_t', 'f32': 'float', 'f64': 'double', 'f16': '_Float16', 'pred': 'bool'}
UNSIGNED = {1: 'uint8_t', 2: 'uint16_t', 4: 'uint32_t', 8: 'uint64_t'}

SPECIAL = {
    '%tid.x': 't.tx', '%tid.y': 't.ty', '%tid.z': 't.tz',
    '%ntid.x': 't.b->ntx', '%ntid.y': 't.b->nty', '%ntid.z': 't.b->ntz',
    '%ctaid.x': 't.b->cx', '%ctaid.y': 't.b->cy', '%ctaid.z': 't.b->cz',
    '%nctaid.x': 't.b->ncx', '%nctaid.y': 't.b->ncy', '%nctaid.z': 't.b->ncz',
    '%laneid': 't.lane', '%warpid': 't.warp_index', '%nwarpid': '((t.b->nthreads+31)/32)',
    '%smid': '0u', '%nsmid': '1u', '%gridid': 't.b->gridid',
    '%lanemask_eq': '(1u<<t.lane)', '%lanemask_lt': '((1u<<t.lane)-1u)', '%lanemask_le': '((2u<<t.lane)-1u)',
    '%lanemask_gt': '(~((2u<<t.lane)-1u))', '%lanemask_ge': '(~((1u<<t.lane)-1u))',
    '%clock': '(uint32_t)ptxcpu::clock64_()', '%clock64': 'ptxcpu::clock64_()', '%globaltimer': 'ptxcpu::clock64_()',
    '%globaltimer_lo': '(uint32_t)ptxcpu::clock64_()',
    '%dynamic_smem_size': 't.b->dynsize', '%total_smem_size': '(DYN_OFF+t.b->dynsize)', 'WARP_SZ': '32',
    '%envreg0': '0u', '%clusterid.x': 't.b->cx', '%cluster_ctarank': '0u', '%cluster_nctarank': '1u',
    '%cluster_ctaid.x': '0u', '%cluster_nctaid.x': '1u', '%is_explicit_cluster': '0'}

HANDLERS = {}


def handles(*names):
    def register(function):
        for name in names:
            HANDLERS[name] = function
        return function
    return register


def c_name(name):
    return 'v_' + re.sub(r'[^A-Za-z0-9_]',
                         lambda m: {'%': '', '$': '_S'}.get(m.group(0), '_x%02x' % ord(m.group(0))), name)


class Instruction:
    """An instruction split into guard, opcode, modifiers and operands (lists of tokens)."""

    def __init__(self, tokens, line):
        self.line = line
        self.guard = None
        if tokens[0] == '@':
            negated = tokens[1] == '!'
            name = tokens[2] if negated else tokens[1]
            self.guard = ('!' if negated else '') + c_name(name)
            tokens = tokens[3:] if negated else tokens[2:]
        self.op, *self.modifiers = tokens[0].split('.')
        self.operands = self.split(tokens[1:])
        self.types = [m for m in self.modifiers if m in CTYPES]
        self.type = self.types[-1] if self.types else None

    @staticmethod
    def split(tokens):
        operands = []
        current = []
        depth = 0
        for t in tokens:
            depth += (t in ('[', '{', '(')) - (t in (']', '}', ')'))
            if t == ',' and depth == 0:
                operands.append(current)
                current = []
            else:
                current.append(t)
        if current:
            operands.append(current)
        return operands

    def has(self, modifier):
        return modifier in self.modifiers

    def first(self, choices, otherwise=None):
        """Returns the first modifier that is one of the choices."""
        return next((m for m in self.modifiers if m in choices), otherwise)

    def space(self, choices):
        return next((m.split('::')[0] for m in self.modifiers if m.split('::')[0] in choices), 'gen')


def translate(w, x):
    handler = HANDLERS.get(x.op)
    if not handler:
        raise PtxError('line %d: unsupported instruction %s' % (x.line, '.'.join([x.op] + x.modifiers)))
    try:
        code = handler(w, x)
    except PtxError as error:
        raise PtxError('line %d: %s: %s' % (x.line, '.'.join([x.op] + x.modifiers), error)) from error
    except (IndexError, KeyError, TypeError, StopIteration) as error:
        raise PtxError('line %d: unsupported form %s: %r'
                       % (x.line, '.'.join([x.op] + x.modifiers), error)) from error
    if x.guard and x.op in BLOCK_ENDS:
        return 'if (DECIDED(%s)) { %s }' % (x.guard, code)
    return 'if (%s) { %s }' % (x.guard, code) if x.guard else '{ %s }' % code


# ---- operands

def immediate(token, kind):
    if re.match(r'0[fF]', token):
        bits = int(token[2:], 16)
        value = 'ptxcpu::bc<float>(0x%xu)' % bits
        return {'f32': value, 'f64': '(double)' + value}.get(kind, '0x%xu' % bits)
    if re.match(r'0[dD]', token):
        bits = int(token[2:], 16)
        return 'ptxcpu::bc<double>((uint64_t)0x%xull)' % bits if kind == 'f64' else '0x%xull' % bits
    value = int(token.rstrip('U'), 0)
    if kind == 'pred':
        return 'true' if value else 'false'
    if kind[0] == 'f':
        return '(%s)%d' % (CTYPES[kind], value)
    return '(%s)0x%xull' % (CTYPES[kind], value & ((1 << (8 * SIZES[kind])) - 1))


def symbol(w, name):
    """Returns the address of a variable, or the offset of one in shared memory."""
    m = w.module
    if name in m.shared and name not in w.locals:
        w.shared_used.add(name)
        return 'DYN_OFF' if m.shared[name] is None else '%du' % m.shared[name][0]
    if name in w.locals or name in m.globals:
        return '(uint64_t)%s' % c_name(name)
    if name in m.prototypes:
        return '(uint64_t)(void*)%s' % c_name(name)
    raise PtxError('unknown symbol ' + name)


def read_register(w, name, kind):
    value = c_name(name)
    if kind == 'pred':
        return value
    if kind[0] == 'f':
        return 'ptxcpu::bc<%s>((%s)%s)' % (CTYPES[kind], UNSIGNED[SIZES[kind]], value)
    return '(%s)%s' % (CTYPES[kind], value)


def read(w, operand, kind):
    """Writes the C++ expression of an operand, as a value of the PTX type `kind`."""
    if operand[0] == '!':
        return '(!%s)' % read(w, operand[1:], kind)
    if operand[0] == '-':
        return '(-(%s))' % read(w, operand[1:], kind)
    name = operand[0]
    if len(operand) == 3 and operand[1] == '+':
        return '(%s)(%s+%s)' % (CTYPES[kind], read(w, [name], kind), operand[2])
    if len(operand) == 2 and re.match(r'-?\d', operand[1]):
        return '(%s)(%s+(%s))' % (CTYPES[kind], read(w, [name], kind), operand[1])
    if name in SPECIAL:
        return '(%s)%s' % (CTYPES[kind], SPECIAL[name])
    if name in w.registers:
        return read_register(w, name, kind)
    if re.match(r'-?\d', name):
        return immediate(name, kind)
    if name.startswith('%'):
        raise PtxError('unknown register ' + name)
    return '(%s)(%s)' % (CTYPES[kind], symbol(w, name))


def write(w, operand, kind, value):
    """Writes the C++ statement that assigns a value of the PTX type `kind` to a register."""
    name = operand[0]
    if name == '_':
        return '(void)(%s);' % value
    if name not in w.registers:
        raise PtxError('cannot write to ' + name)
    if kind[0] == 'f':
        return '%s=ptxcpu::bc<%s>((%s)(%s));' % (c_name(name), UNSIGNED[SIZES[kind]], CTYPES[kind], value)
    if kind == 'pred':
        return '%s=(%s);' % (c_name(name), value)
    return '%s=(%s)(%s);' % (c_name(name), CTYPES[kind], value)


def address(w, operand, space):
    tokens = operand[1:-1]
    base = tokens[0]
    offset = 0
    if len(tokens) == 3 and tokens[1] == '+':
        offset = int(tokens[2].rstrip('U'), 0)
    elif len(tokens) == 2:
        offset = int(tokens[1], 0)
    elif len(tokens) > 1:
        raise PtxError('unsupported form of address ' + ' '.join(operand))
    if base in w.registers:
        if space == 'shared':
            return '(t.sh+(uint32_t)(%s+(%d)))' % (c_name(base), offset)
        return '(char*)((uint64_t)%s+(int64_t)(%d))' % (c_name(base), offset)
    if base in w.module.shared:
        return '(t.sh+%s+(%d))' % (symbol(w, base), offset)
    if re.match(r'-?\d', base):
        return '(t.sh+%s)' % base if space == 'shared' else '(char*)(uint64_t)%s' % base
    return '((char*)%s+(%d))' % (symbol(w, base), offset)


def pair(operand):
    """Returns the two destinations of `d|p`."""
    if '|' in operand:
        k = operand.index('|')
        return operand[:k], operand[k + 1:]
    return operand, None


def bits(kind):
    """Returns the untyped form of a floating-point type."""
    return 'b' + kind[1:] if kind[0] == 'f' else kind


def members(operand):
    return [t for t in operand if t not in '{},']
