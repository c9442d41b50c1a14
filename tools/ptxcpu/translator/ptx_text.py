"""Parser for the PTX that nvcc writes.

Models: modules with entry and device functions, .global/.const/.shared variables with initialisers, and function
bodies as lists of statements. Every statement is a tuple whose first item names its kind and whose last item is
the PTX line:
    ('ins', tokens, line)           ('label', name, line)       ('reg', type, name, line)
    ('var', description, line)      ('block', statements, line)  ('targets', kind, name, tokens, line)
    ('loc', location, line)
Does not model: textures, samplers, aliases, debug sections (skipped).
"""
import re

SIZES = {'u8': 1, 's8': 1, 'b8': 1, 'u16': 2, 's16': 2, 'b16': 2, 'f16': 2, 'u32': 4, 's32': 4, 'b32': 4, 'f32': 4,
         'u64': 8, 's64': 8, 'b64': 8, 'f64': 8, 'pred': 1, 'b128': 16}

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_$%.][A-Za-z0-9_$%.:<>]*|0[fFdD][0-9A-Fa-f]+'
                   r'|-?0[xX][0-9A-Fa-f]+U?|-?\d+U?|[^\s]')


class PtxError(Exception):
    """Something in the PTX that the translator does not understand."""


def tokenize(source):
    """Returns a list of (token, line); the ':' after a label is a token of its own."""
    source = re.sub(r'/\*.*?\*/', lambda m: '\n' * m.group(0).count('\n'), source, flags=re.S)
    result = []
    for number, line in enumerate(source.split('\n'), 1):
        for match in TOKEN.finditer(re.sub(r'//.*', '', line)):
            token = match.group(0)
            is_label = token[0] != '"' and len(token) > 1 and token.endswith(':') and not token.endswith('::')
            if is_label:
                result.append((token[:-1], number))
                result.append((':', number))
            else:
                result.append((token, number))
    return result


class Function:
    """A .entry or .func; body is None for a declaration."""

    def __init__(self, kind, name, returns, params):
        self.kind = kind
        self.name = name
        self.returns = returns
        self.params = params
        self.body = None
        self.max_threads = 0

    @property
    def is_entry(self):
        return self.kind == '.entry'


class Module:
    """A parsed PTX file."""

    def __init__(self, source):
        self.tokens = tokenize(source)
        self.pos = 0
        self.arch = 0
        self.files = {}        # number -> path
        self.strings = {}      # label -> text; holds the names of inlined functions
        self.inlined = {}      # place -> (label of the function's name, place where it was inlined)
        self.globals = {}
        self.shared = {}       # name -> (offset, size), or None for dynamic shared memory
        self.shared_bytes = 0
        self.functions = []    # those with a body
        self.prototypes = {}   # all functions, by name
        while self.pos < len(self.tokens):
            self.top_level()

    # ---- token stream

    def peek(self):
        return self.tokens[self.pos][0] if self.pos < len(self.tokens) else None

    def line(self):
        return self.tokens[min(self.pos, len(self.tokens) - 1)][1]

    def next(self):
        token = self.tokens[self.pos][0]
        self.pos += 1
        return token

    def expect(self, wanted):
        got = self.next()
        if got != wanted:
            raise PtxError('line %d: expected %s, got %s' % (self.line(), wanted, got))

    def skip_to(self, end):
        while self.next() != end:
            pass

    def skip_line(self):
        line = self.line()
        while self.pos < len(self.tokens) and self.tokens[self.pos][1] == line:
            self.pos += 1

    # ---- declarations

    def top_level(self):
        token = self.peek()
        if token in ('.version', '.address_size'):
            self.skip_line()
        elif token == '.file':
            self.files[int(self.tokens[self.pos + 1][0])] = self.tokens[self.pos + 2][0].strip('"')
            self.skip_line()
        elif token == '.target':
            self.target()
        elif token == '.section':
            self.section()
        elif token in ('.pragma', '.alias'):
            self.skip_to(';')
        else:
            self.declaration()

    def section(self):
        """Reads the strings of .debug_str, which are bytes; other sections have nothing to run."""
        self.next()
        wanted = self.next() == '.debug_str'
        self.expect('{')
        label = None
        while self.peek() != '}':
            token = self.next()
            if wanted and self.peek() == ':':
                label = token
                self.strings[label] = ''
            elif label and token.isdigit() and token != '0':
                self.strings[label] += chr(int(token))
        self.next()

    def place(self):
        return int(self.next()), int(self.next()), int(self.next())

    def location(self):
        """Reads a line `.loc place[, function_name label, inlined_at place]` and returns (file, line, labels of the
        inlined functions, outermost first).

        Not every mention of a place says where it was inlined: the last one that does holds.
        """
        text_line = self.line()
        self.next()
        place = self.place()
        label = None
        while self.pos < len(self.tokens) and self.tokens[self.pos][1] == text_line:
            token = self.next()
            if token == 'function_name':
                label = self.next()
            elif token == 'inlined_at':
                self.inlined[place] = (label, self.place())
        file, line, _ = place
        labels = []
        seen = set()
        while place in self.inlined and place not in seen:
            seen.add(place)
            label, place = self.inlined[place]
            labels.insert(0, label)
        return file, line, tuple(labels)

    def target(self):
        self.next()
        match = re.match(r'sm_(\d+)', self.next())
        self.arch = int(match.group(1)) if match else 0
        while self.peek() == ',':
            self.next()
            self.next()

    def declaration(self):
        linkage = []
        while self.peek() in ('.visible', '.extern', '.weak', '.common'):
            linkage.append(self.next())
        token = self.peek()
        if token in ('.entry', '.func'):
            self.function()
        elif token in ('.global', '.const', '.shared'):
            self.variable(linkage)
        else:
            raise PtxError('line %d: unknown declaration %s' % (self.line(), token))

    def variable_type(self):
        """Reads the type, alignment and vector width of a declaration."""
        align = None
        kind = None
        width = 1
        while self.peek().startswith('.'):
            token = self.next()
            if token == '.align':
                align = int(self.next())
            elif token[1:] in SIZES:
                kind = token[1:]
            elif token in ('.v2', '.v4'):
                width = int(token[2:])
            elif token == '.attribute':
                self.skip_to(')')
        return kind, align or SIZES[kind], width

    def dimensions(self):
        dims = []
        while self.peek() == '[':
            self.next()
            if self.peek() == ']':
                dims.append(0)
            else:
                dims.append(int(self.next().rstrip('U'), 0))
            self.expect(']')
        return dims

    def initialiser(self):
        if self.peek() != '=':
            return None
        self.next()
        tokens = []
        depth = 0
        while depth or self.peek() not in (';', ','):
            token = self.next()
            depth += (token in '{(') - (token in '})')
            tokens.append(token)
        return tokens

    def variable(self, linkage=()):
        space = self.next()[1:]
        kind, align, count = self.variable_type()
        name = self.next()
        dims = self.dimensions()
        init = self.initialiser()
        for d in dims:
            count *= d
        var = dict(space=space, name=name, type=kind, count=count, align=align, init=init, size=count * SIZES[kind])
        if self.peek() == ';':
            self.next()
        if space == 'shared':
            self.add_shared(var, dynamic='.extern' in linkage and dims and dims[0] == 0)
        elif space in ('global', 'const'):
            self.globals[name] = var
        return var

    def add_shared(self, var, dynamic):
        if dynamic:
            self.shared[var['name']] = None
        elif var['name'] not in self.shared:
            align = var['align']
            offset = (self.shared_bytes + align - 1) // align * align
            self.shared[var['name']] = (offset, var['size'])
            self.shared_bytes = offset + var['size']

    # ---- functions

    def parameters(self):
        """Returns a list of (name, size in bytes)."""
        result = []
        self.expect('(')
        while self.peek() != ')':
            self.next()  # .param or .reg
            kind, _, _ = self.variable_type()
            name = self.next()
            count = 1
            for d in self.dimensions():
                count *= d
            result.append((name, SIZES[kind] * count))
            if self.peek() == ',':
                self.next()
        self.next()
        return result

    def function(self):
        kind = self.next()
        returns = self.parameters() if kind == '.func' and self.peek() == '(' else []
        name = self.next()
        params = self.parameters() if self.peek() == '(' else []
        f = Function(kind, name, returns, params)
        self.directives(f)
        self.prototypes[name] = f
        if self.peek() == ';':
            self.next()
            return
        f.body = self.body()
        self.functions.append(f)

    def directives(self, f):
        """Reads .maxntid, .minnctapersm, .noreturn, ... between the signature and the body."""
        while self.peek() not in ('{', ';'):
            if self.next() != '.maxntid':
                continue
            f.max_threads = int(self.next())
            while self.peek() == ',':
                self.next()
                f.max_threads *= int(self.next())

    def body(self):
        statements = []
        self.expect('{')
        while self.peek() != '}':
            self.statement(statements)
        self.next()
        return statements

    def statement(self, out):
        token, line = self.tokens[self.pos]
        if token == '{':
            out.append(('block', self.body(), line))
        elif token == ';':
            self.next()
        elif token == '.reg':
            self.registers(out, line)
        elif token in ('.local', '.shared', '.param', '.global', '.const'):
            out.append(('var', self.variable(), line))
        elif token == '.loc':
            out.append(('loc', self.location(), line))
        elif token == '.pragma':
            self.skip_to(';')
        elif self.tokens[self.pos + 1][0] == ':':
            self.label(out, line)
        else:
            out.append(('ins', self.until_semicolon(), line))

    def until_semicolon(self):
        tokens = []
        while self.peek() != ';':
            tokens.append(self.next())
        self.next()
        return tokens

    def registers(self, out, line):
        self.next()
        kind, _, _ = self.variable_type()
        for name in self.until_semicolon():
            if name != ',':
                out.append(('reg', kind, name, line))

    def label(self, out, line):
        name = self.next()
        self.next()
        if self.peek() in ('.branchtargets', '.callprototype', '.calltargets'):
            kind = self.next()
            names = [t for t in self.until_semicolon() if t != ',']
            out.append(('targets', kind, name, names, line))
        else:
            out.append(('label', name, line))
