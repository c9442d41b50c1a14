#!/usr/bin/env python3
"""Compiler launcher that makes CUDA objects run on the CPU.

usage: launcher.py [--check] [--stats] [--arch=NN] [--cxx=COMPILER] [--] nvcc ARGUMENTS...

When the command compiles a .cu file to an object, the launcher runs it, translates the PTX for one architecture to C++,
compiles that and merges it into the object. It passes every other command on untouched: compiler tests, preprocessing,
device linking, --version.
    --check   check every memory access of the kernels
    --stats   count instructions
    --arch    the compute capability whose PTX runs (80)
    --cxx     the compiler of the translated C++ (g++)
The launcher does not support relocatable device code (-rdc=true, -dc): such a compilation stops with an error.
"""
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
OTHER_PHASES = {'-E', '--preprocess', '-M', '-MM', '--generate-dependencies', '-ptx', '--ptx', '-cubin', '--cubin',
                '-fatbin', '--fatbin', '-dlink', '--device-link', '-lib', '--lib', '-link', '--link', '-run', '--run',
                '--dryrun', '-dryrun', '--version', '-V', '-optix-ir', '-cuda', '--cuda'}
TAKES_VALUE = {'-gencode', '--generate-code', '-arch', '--gpu-architecture', '-code', '--gpu-code', '-o',
               '--output-file', '-MF', '-MT', '-MQ'}
DROPPED_FOR_PTX = TAKES_VALUE | {'-c', '--compile', '-MD', '-MMD', '-MP', '--generate-dependencies-with-compile'}


def stop(text):
    sys.exit('launcher.py: ' + text)


def own_options(args):
    """Splits the launcher's own options from the command."""
    options = {'check': False, 'stats': False, 'arch': '80', 'cxx': 'g++'}
    while args and args[0].startswith('--'):
        option = args.pop(0)
        if option == '--':
            break
        if option in ('--check', '--stats'):
            options[option[2:]] = True
        elif option.startswith(('--arch=', '--cxx=')):
            name, value = option[2:].split('=', 1)
            options[name] = value
        else:
            stop('unknown option %s\n%s' % (option, __doc__))
    if not args:
        sys.exit(__doc__)
    return options, args


def expand_response_files(args):
    """Replaces --options-file FILE and --options-file=FILE by the words of the file, so that they can be inspected."""
    result = []
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        match = re.match(r'(?:--options-file|-optf)(?:=(.*))?$', arg)
        if not match:
            result.append(arg)
            continue
        with open(match.group(1) or rest.pop(0), encoding='utf-8') as f:
            result += shlex.split(f.read())
    return result


def value_of(args, names):
    for i, arg in enumerate(args):
        if arg in names:
            return args[i + 1]
        for name in names:
            if name.startswith('--') and arg.startswith(name + '='):
                return arg[len(name) + 1:]
    return None


def is_cuda_compilation(args):
    if not {'-c', '--compile'} & set(args) and not {'-dc', '--device-c'} & set(args):
        return False
    if OTHER_PHASES & set(args):
        return False
    is_cuda = value_of(args, ('-x', '--x')) == 'cu' or '-xcu' in args or any(a.endswith('.cu') for a in args)
    return is_cuda and value_of(args, ('-o', '--output-file')) is not None


def is_relocatable(args):
    if {'-dc', '--device-c', '-rdc=true', '--relocatable-device-code=true'} & set(args):
        return True
    return value_of(args, ('-rdc', '--relocatable-device-code')) == 'true'


def run(command):
    status = subprocess.call(command)
    if status:
        sys.exit(status)


def note_dependencies(args):
    """Adds the emulator's files to the dependencies that nvcc wrote, so that a change to them causes a rebuild."""
    name = value_of(args, ('-MF', '--dependency-output'))
    if not name or not os.path.exists(name):
        return
    files = [os.path.join(HERE, 'launcher.py'), os.path.join(HERE, 'runtime', 'ptxcpu.hpp')]
    files += [os.path.join(HERE, 'translator', f) for f in sorted(os.listdir(os.path.join(HERE, 'translator')))
              if f.endswith('.py')]
    with open(name, encoding='utf-8') as f:
        text = f.read().rstrip()
    with open(name, 'w', encoding='utf-8') as f:
        f.write(''.join([text] + [' \\\n  ' + file.replace(' ', '\\ ') for file in files]) + '\n')


def has_device_code(obj):
    """Tells whether the host object registers kernels or device variables."""
    symbols = subprocess.run(['nm', '-u', obj], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.search(r'__cudaRegister(Function|Var|ManagedVar)\b', symbols) is not None


def kept_ptx(folder, arch):
    """Finds the PTX for the architecture among the files that nvcc kept."""
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.endswith('.ptx'):
            continue
        with open(path, encoding='utf-8') as f:
            if re.search(r'^\.target\s+sm_%s\b' % arch, f.read(4096), re.M):
                return path
    return None


def ptx_command(args, arch, output):
    """Turns a compile command into one that writes PTX for one architecture."""
    command = []
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        name = arg.split('=')[0]
        if name not in DROPPED_FOR_PTX:
            command.append(arg)
        elif name in TAKES_VALUE and '=' not in arg:
            rest.pop(0)
    return command + ['-arch=compute_' + arch, '-ptx', '-o', output]


def compile_ptx(options, ptx, module, folder):
    cpp = os.path.join(folder, 'emu.cpp')
    obj = os.path.join(folder, 'emu.o')
    run([sys.executable, '-B', os.path.join(HERE, 'translator', 'ptx_to_cpp.py'), ptx, cpp, module])
    flags = ['-std=c++17', '-O2', '-w', '-fPIC', '-fvisibility=hidden', '-fno-strict-aliasing', '-ffp-contract=off']
    if options['check']:
        flags.append('-DPTXCPU_CHECK')
    if options['stats']:
        flags.append('-DPTXCPU_COUNT')
    flags += shlex.split(os.environ.get('PTXCPU_CXXFLAGS', ''))
    run([options['cxx']] + flags + ['-I' + os.path.join(HERE, 'runtime'), '-c', cpp, '-o', obj])
    return obj


def merge(output, emu, module, folder):
    host = os.path.join(folder, 'host.o')
    merged = os.path.join(folder, 'merged.o')
    renamed = '__cudaRegisterFatBinary=__cudaRegisterFatBinary_' + module
    run(['objcopy', '--redefine-sym', renamed, output, host])
    # The kernels come first, because constructors of host objects may launch them.
    run(['ld', '-r', emu, host, '-o', merged])
    shutil.move(merged, output)


def add_kernels(options, command, args, output, folder):
    """Adds the translated kernels to the host object that nvcc wrote."""
    if not has_device_code(output):
        return
    module = 'ptxm_' + hashlib.md5(os.path.abspath(output).encode()).hexdigest()[:12]
    ptx = kept_ptx(folder, options['arch'])
    if not ptx:
        ptx = os.path.join(folder, 'single.ptx')
        run(ptx_command(command[:1] + args, options['arch'], ptx))
    merge(output, compile_ptx(options, ptx, module, folder), module, folder)


def compile_cuda(options, command, args, folder):
    if is_relocatable(args):
        stop('relocatable device code (-rdc=true) is not supported')
    output = value_of(args, ('-o', '--output-file'))
    line_numbers = ['-lineinfo'] if options['stats'] and '-lineinfo' not in args else []
    run(command + line_numbers + ['--keep', '--keep-dir', folder])
    try:
        note_dependencies(args)
        add_kernels(options, command, args, output, folder)
    except BaseException:
        # An object without its kernels must not look finished.
        if os.path.exists(output):
            os.remove(output)
        raise


def main():
    options, command = own_options(sys.argv[1:])
    args = expand_response_files(command[1:])
    if not is_cuda_compilation(args):
        os.execvp(command[0], command)
    folder = tempfile.mkdtemp(prefix='ptxcpu')
    try:
        compile_cuda(options, command, args, folder)
    finally:
        if os.environ.get('PTXCPU_KEEP'):
            print('launcher.py: kept the files in ' + folder, file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    main()
