#!/usr/bin/env python3
"""Lists the architectures that a program or object file has code for: sm_80 (machine code) or compute_90 (PTX).

usage: list_gpu_code.py FILE

Reads the containers that nvcc and clang++ embed: a header (magic, version, size of the header, bytes that follow) and
entries (kind, version, size of the header, bytes that follow, ..., architecture). Containers of the runtime library
count as well.
"""
import re
import struct
import sys

MAGIC = struct.pack('<I', 0xBA55ED50)
HEADER = struct.Struct('<IHHQ')
ENTRY = struct.Struct('<HHIQ12xI')
KINDS = {1: 'compute', 2: 'sm'}


def entries(data):
    for found in re.finditer(re.escape(MAGIC), data):
        if found.start() + HEADER.size > len(data):
            return
        _, version, header, size = HEADER.unpack_from(data, found.start())
        at = found.start() + header
        end = at + size
        if version != 1 or header != HEADER.size or end > len(data):
            continue  # the magic number of the descriptor that points to a container, or chance
        while at + ENTRY.size <= end:
            kind, _, header, size, architecture = ENTRY.unpack_from(data, at)
            if header < ENTRY.size:
                break
            yield architecture, KINDS.get(kind, 'kind_%d' % kind)
            at += header + size


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: list_gpu_code.py FILE')
    with open(sys.argv[1], 'rb') as file:
        data = file.read()
    for architecture, kind in sorted(set(entries(data))):
        print('%s_%d' % (kind, architecture))


main()
