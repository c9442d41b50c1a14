#!/usr/bin/env python3
"""Translates the PTX of nvcc into C++ that runs the kernels on the CPU with the runtime library.

usage: ptx_to_cpp.py in.ptx out.cpp [module-id]

Each PTX register becomes a local variable, each instruction a C++ statement (see operands.py), and each label a label.
The caller must rename __cudaRegisterFatBinary to __cudaRegisterFatBinary_<module-id> in the host object of the same .cu
file, so that host stubs and translated kernels share a module handle.
Does not model: relocatable device code, indirect calls. An unknown instruction stops the translation with its line.
"""
import hashlib
import re
import sys

import arithmetic  # noqa: F401 (registers its handlers)
from control import SYSTEM_CALLS
import flow
from operands import CTYPES, UNSIGNED, Instruction, c_name, immediate, translate
from ptx_text import SIZES, Module, PtxError


def storage_type(ptx_type):
    """Returns the C++ type that holds the bits of a variable."""
    return UNSIGNED[SIZES[ptx_type]] if ptx_type[0] == 'f' else CTYPES[ptx_type]


def signature(f):
    if f.is_entry:
        return 'static void %s(ptxcpu::Thread& t, char* const* args)' % c_name(f.name)
    names = [c_name(p[0]) for p in f.returns + f.params]
    return 'static void %s(ptxcpu::Thread& t%s)' % (c_name(f.name), ''.join(', char* ' + n for n in names))


class FunctionWriter:
    """Writes one function; instruction handlers use its scopes and set its properties."""

    def __init__(self, module, function):
        self.module = module
        self.function = function
        self.registers = {}
        self.locals = {}
        self.targets = {}
        self.declarations = []
        self.lines = []
        self.collective = False
        self.calls = set()
        self.shared_used = set()
        self.local_bytes = 0
        self.blocks = []
        self.labels = {}      # name -> number of the block that starts there
        self.in_block = False
        self.location = None  # source location of the instruction being written
        for name, _ in function.params + function.returns:
            self.locals[name] = 'param'
        self.find_targets(function.body)
        self.statements(function.body)
        for block in self.blocks:
            self.lines[block.line_index] = ' COUNTED(%d);' % block.instructions
        flow.resolve(self.blocks, self.labels)

    def find_targets(self, body):
        for s in body:
            if s[0] == 'block':
                self.find_targets(s[1])
            elif s[0] == 'targets':
                self.targets[s[2]] = s[3]

    def statements(self, body):
        for s in body:
            getattr(self, 'write_' + s[0])(*s[1:])

    def write_block(self, body, _line):
        saved = dict(self.registers), dict(self.locals), self.declarations
        self.lines.append(' {')
        self.declarations = self.lines
        self.statements(body)
        self.registers, self.locals, self.declarations = saved
        self.lines.append(' }')

    def write_reg(self, kind, name, _line):
        match = re.match(r'(.*)<(\d+)>$', name)
        names = [name]
        if match:
            names = [match.group(1) + str(i) for i in range(int(match.group(2)))]
        ctype = 'bool' if kind == 'pred' else UNSIGNED.get(SIZES[kind], 'unsigned __int128')
        for n in names:
            self.registers[n] = kind
        for i in range(0, len(names), 16):
            self.declarations.append(' %s %s;' % (ctype, ', '.join(c_name(n) for n in names[i:i + 16])))

    def write_var(self, var, _line):
        if var['space'] not in ('local', 'param'):
            return
        self.declarations.append(' alignas(%d) char %s[%d];'
                                 % (max(16, var['align']), c_name(var['name']), max(1, var['size'])))
        self.locals[var['name']] = var['space']
        if var['space'] == 'local':
            self.local_bytes += var['size']

    def write_targets(self, *_):
        pass

    def write_label(self, name, _line):
        self.lines.append(' %s:;' % c_name(name))
        self.labels[name] = len(self.blocks)
        self.in_block = False

    def write_loc(self, location, _line):
        self.location = location

    def write_ins(self, tokens, line):
        if not self.in_block:
            self.blocks.append(flow.Block(len(self.lines)))
            self.lines.append(None)
            self.in_block = True
        block = self.blocks[-1]
        block.instructions += 1
        block.locations[self.location] = block.locations.get(self.location, 0) + 1
        instruction = Instruction(tokens, line)
        self.lines.append(' ' + translate(self, instruction))
        if instruction.op in flow.BLOCK_ENDS:
            self.end_block(block, instruction)

    def end_block(self, block, instruction):
        self.in_block = False
        block.going = flow.GOING[instruction.op]
        block.guarded = bool(instruction.guard)
        operands = instruction.operands
        if block.going == flow.JUMPS:
            block.targets = [operands[0][0]]
        elif block.going == flow.CHOOSES:
            block.targets = list(self.targets[operands[1][0]])
        elif block.going == flow.CALLS:
            block.targets = [operands[1 if operands[0][0] == '(' else 0][0]]

    def text(self):
        f = self.function
        out = [signature(f) + ' {']
        if f.is_entry:
            for i, p in enumerate(f.params):
                out.append(' char* const %s = args[%d];' % (c_name(p[0]), i))
        out += self.declarations
        out.append(' bool cc = false;')
        out.append(' (void)cc;')
        out += self.lines
        out.append(' return;')
        out.append('}')
        return out


class ModuleWriter:
    """Writes the C++ file of a module."""

    def __init__(self, module, name):
        self.module = module
        self.name = name
        self.out = []
        self.writers = {}
        self.first_block = {}  # function -> number of its first block in the module
        self.blocks = 0

    def write(self):
        m = self.module
        self.header()
        for var in m.globals.values():
            self.out.append(self.global_definition(var))
        for f in m.prototypes.values():
            if not f.is_entry and f.name not in SYSTEM_CALLS:
                self.out.append(signature(f) + ';')
        for f in m.functions:
            writer = FunctionWriter(m, f)
            self.first_block[f.name] = self.blocks
            self.blocks += len(writer.blocks)
            self.writers[f.name] = writer
            self.out += writer.text()
        self.flow_tables()
        self.registrations()
        self.out.append('}')
        return '\n'.join(self.out) + '\n'

    def header(self):
        n = self.name
        shared = (self.module.shared_bytes + 127) // 128 * 128
        self.out += ['#include "ptxcpu.hpp"',
                     'namespace %s { static void* module_; }' % n,
                     'extern "C" void** __cudaRegisterFatBinary_%s(void*) { return &%s::module_; }' % (n, n),
                     'namespace %s {' % n,
                     'static constexpr uint32_t DYN_OFF = %du;' % shared]

    def global_definition(self, var):
        ctype = storage_type(var['type'])
        head = 'alignas(%d) %s %s[%d]' % (var['align'], ctype, c_name(var['name']), max(1, var['count']))
        if not var['init']:
            return head + ';'
        values = ', '.join('(%s)%s' % (ctype, v) for v in self.initial_values(var))
        return '%s = {%s};' % (head, values)

    def initial_values(self, var):
        groups = [[]]
        for token in var['init']:
            if token in '{},':
                groups.append([])
            else:
                groups[-1].append(token)
        return [self.initial_value(g, var) for g in groups if g]

    def initial_value(self, tokens, var):
        kind = var['type']
        if len(tokens) == 1 and re.match(r'-?\d', tokens[0]):
            return immediate(tokens[0], 'b' + kind[1:] if kind[0] == 'f' else kind)
        if not any(t in self.module.globals or t == 'generic' for t in tokens):
            raise PtxError('unsupported initialiser of %s: %s' % (var['name'], ' '.join(tokens)))
        parts = ['(uint64_t)' + c_name(t) if t in self.module.globals else t for t in tokens if t != 'generic']
        return '(%s)' % ' '.join(parts)

    def reachable(self, name):
        """Returns the writers of a function and of everything it calls."""
        seen = []
        todo = [name]
        while todo:
            writer = self.writers.get(todo.pop())
            if writer and writer not in seen:
                seen.append(writer)
                todo += writer.calls
        return seen

    def flow_tables(self):
        """Writes how every basic block ends (ptxcpu::Flow), numbered across the module."""
        rows = []
        choices = []
        for name, writer in self.writers.items():
            first = self.first_block[name]
            rows += [self.flow_row(block, first, choices) for block in writer.blocks]
        self.out.append('static const uint32_t choices[] = {%s};' % ', '.join(choices + ['0']))
        self.out.append('static const ptxcpu::Flow flow[] = {')
        self.out += rows + [' {}};']
        rows = []
        for name, writer in self.writers.items():
            for number, block in enumerate(writer.blocks, self.first_block[name]):
                rows += [self.source_row(number, name, *item) for item in block.locations.items() if item[0]]
        self.out += ['#ifdef PTXCPU_COUNT', 'static const ptxcpu::SourceLine source[] = {'] + rows + [
            ' {}};', 'static constexpr uint32_t source_rows = %d;' % len(rows), '#else',
            'static constexpr ptxcpu::SourceLine* source = nullptr;',
            'static constexpr uint32_t source_rows = 0;', '#endif']

    def source_row(self, block, function, location, count):
        file, line, labels = location
        names = ' '.join([function] + [self.module.strings.get(label, '?') for label in labels])
        return ' {%d, %d, "%s", "%s", %d},' % (block, count, names, self.module.files.get(file, '?'), line)

    def flow_row(self, block, first, choices):
        def number(local):
            return 'ptxcpu::kReturned' if local == flow.RETURNED else str(first + local)
        going = block.going
        target = '0'
        if going == flow.JUMPS:
            target = number(block.targets[0])
        elif going == flow.CHOOSES:
            target = str(len(choices))
            choices += [number(t) for t in block.targets]
        elif going == flow.CALLS and block.targets[0] in SYSTEM_CALLS:
            going = flow.FALLS
        elif going == flow.CALLS:
            target = str(self.first_block[block.targets[0]])
        return ' {%d, (ptxcpu::Going)%d, %s, %d, %s, %s, %s},' % (
            block.instructions, going, 'true' if block.guarded else 'false', len(block.targets), target,
            number(block.follows), number(block.meets))

    def registrations(self):
        out = self.out
        out.append('static struct Registration {')
        out.append(' Registration() {')
        for name, var in self.module.globals.items():
            out.append('  static ptxcpu::Variable %s_var{"%s", (void*)%s, %d, &module_, nullptr};'
                       % (c_name(name), name, c_name(name), var['size']))
            out.append('  ptxcpu::enlist(&%s_var);' % c_name(name))
        for i, f in enumerate(f for f in self.module.functions if f.is_entry):
            self.register_kernel(i, f)
        out.append(' }')
        out.append('} registration;')

    def register_kernel(self, i, f):
        m = self.module
        writers = self.reachable(f.name)
        names = set().union(*(w.shared_used for w in writers))
        shared = sum(m.shared[n][1] for n in names if m.shared[n])
        collective = any(w.collective for w in writers)
        local_bytes = sum(w.local_bytes for w in writers)
        sizes = ', '.join([str(size) for _, size in f.params] + ['0'])
        self.out.append('  static const uint32_t sizes%d[] = {%s};' % (i, sizes))
        self.out.append('  static ptxcpu::Kernel kernel%d{"%s", %s, %du, DYN_OFF, %du, %d, sizes%d, %s, %d, %du, '
                        '{flow, choices, %d, %d, source, source_rows}, ptxcpu::kCounted, &module_, nullptr};'
                        % (i, f.name, c_name(f.name), shared, local_bytes, len(f.params), i,
                           'true' if collective else 'false', m.arch, f.max_threads,
                           self.blocks, self.first_block[f.name]))
        self.out.append('  ptxcpu::enlist(&kernel%d);' % i)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding='utf-8') as f:
        source = f.read()
    name = sys.argv[3] if len(sys.argv) > 3 else 'ptxm_' + hashlib.md5(source.encode()).hexdigest()[:12]
    text = ModuleWriter(Module(source), name).write()
    with open(sys.argv[2], 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    try:
        main()
    except PtxError as error:
        sys.exit('ptx_to_cpp: %s' % error)
