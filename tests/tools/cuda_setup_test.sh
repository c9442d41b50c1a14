#!/usr/bin/env bash
# How run.sh chooses the CUDA compiler, on machines that stand-ins make: drivers, GPUs, toolkits that cannot be used.
# usage: cuda_setup_test.sh SOURCE_FOLDER
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "cuda_setup_test: $*" >&2
  exit 1
}
unset CHAINSHOT_CUDA CHAINSHOT_NO_INSTALL CUDAHOSTCXX CXX CMAKE_PREFIX_PATH

mkdir -p "$folder/tools" "$folder/build" "$folder/system"
cp -r "$1/tools/run.sh" "$1/tools/scripts" "$folder/tools/"
cp "$1/CMakePresets.json" "$folder/"
# Only these programs of this machine are there.
for tool in awk bash cat chmod cp cut diff dirname env flock grep head id ln mkdir mktemp mv readlink rm sed sort stat tail tee \
  timeout touch; do
  ln -s "$(command -v "$tool")" "$folder/system/$tool"
done
machine=$folder/machine nvidia=$folder/nvidia
export folder machine nvidia

program() { # NAME: a program of this machine, which standard input has
  { printf '#!/bin/bash\n' && cat; } >"$machine/$1"
  chmod +x "$machine/$1"
}
new_machine() {
  rm -rf "$machine" "$nvidia" "$folder/build" "$folder/failing"
  mkdir -p "$machine" "$nvidia" "$folder/build"
  program g++ <<<'echo "#define __GNUC__ 12"'
  program clang++-19 <<<'echo "#define __clang_major__ 19"'
}
nvcc_of() { # RELEASE OLDEST [HOST]: an nvcc, which compiles only with that host compiler
  program nvcc <<END
case \$1 in
  --version) echo 'Cuda compilation tools, release $1, V$1.88' ;;
  --list-gpu-code) printf 'sm_$2\nsm_80\nsm_90a\n' ;;
  *)
    [[ '${3:-}' == '' || "\$*" == *'-ccbin ${3:-} '* ]] && exit
    echo 'In file included from cuda_runtime.h:83:'
    echo "host_config.h:143:2: error: #error -- unsupported GNU version! gcc versions later than 12 are not supported!"
    exit 1 ;;
esac
END
}
driver_is() { # RELEASE
  printf 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  %s  Wed Jan  1 00:00:00 UTC 2025\nGCC version: 12\n' "$1" \
    >"$nvidia/version"
}
gpus_are() { # RELEASE [CAPABILITY, NAME]...
  local release=$1 gpu
  shift
  driver_is "$release"
  {
    echo "echo asked >>'$folder/asked'"
    for gpu; do echo "echo '$release, $gpu'"; done
  } | program nvidia-smi
}

# Loads the functions, where PyPI gives stand-ins and only the machine of the test is there.
load() {
  PATH=$machine:$folder/system
  # shellcheck source=tools/scripts/toolchain.sh
  source "$folder/tools/scripts/toolchain.sh"
  nvidia_folder=$nvidia nvcc_places=()
  has_nvidia_driver() { [[ -e $nvidia_folder/version ]]; }
  require_packages() { :; }
  install_wheels() {
    [[ ! ${CHAINSHOT_NO_INSTALL:-} ]] || { objection="$3 cannot be installed, because CHAINSHOT_NO_INSTALL is set"; return 1; }
    [[ ! -e $folder/offline ]] || { objection="$3 cannot be installed (see $2.log)"; return 1; }
  }
  install_nvcc() {
    install_wheels '' "$cuda_wheels" 'the CUDA compiler, nvcc 13.0 (272 MB)' || return 1
    mkdir -p "$cuda_wheels/nvidia/cu13/bin"
    # shellcheck disable=SC2016
    printf '#!/bin/bash\n[[ $1 == --list* ]] && echo sm_75\n[[ $1 != --version ]] || echo "release 13.0,"\n' \
      >"$cuda_wheels/nvidia/cu13/bin/nvcc"
    chmod +x "$cuda_wheels/nvidia/cu13/bin/nvcc"
  }
  install_parts() {
    install_wheels '' "$cuda_parts" 'the parts of CUDA 12.9' || return 1
    mkdir -p "$cuda_parts/bin"
    printf '#!/bin/bash\n' >"$cuda_parts/bin/ptxas"
    chmod +x "$cuda_parts/bin/ptxas"
  }
}
chosen() { # prints the choice, the host compiler of nvcc, and what was said
  (
    load
    release_compiler=${compiler:-clang++-19}
    find_cuda "${1:-}" 2>"$folder/said"
    printf '%s %s\n' "${cuda_way##*/}" "$nvcc_host"
  )
  sed "s|$folder/||g" "$folder/said"
}
expect() { # CHOICE [SENTENCE...]; the choice is empty where the script ends. The argument of find_cuda is in `option`
  local found wanted='' sentence
  found=$(chosen "${option:-}")
  wanted=$1
  shift
  for sentence; do wanted+=${wanted:+$'\n'}"chainshot: $sentence"; done
  [[ $found == "$wanted" ]] || fail "line ${BASH_LINENO[0]}: found"$'\n'"$found"$'\n'"instead of"$'\n'"$wanted"
}
by_nvcc_13='the kernels are compiled by nvcc 13.0, for drivers from 580 and GPUs from 7.5'
by_clang='the kernels are compiled by clang++ with CUDA 12.9, for drivers from 525 and GPUs from 5.2'
values='off, wheels, wheels-12, wheels-13 or the path of an nvcc'
without="building without CUDA; CHAINSHOT_CUDA takes $values, and --cuda tries again"

# A machine without any of it hears nothing. With --cuda it gets nvcc.
new_machine
expect 'none '
option=wanted expect 'wheels-13 ' "$by_nvcc_13"
expect 'wheels-13 ' # the choice stays

# The driver chooses the wheels.
for release in 580.65.06 590.44.01; do
  new_machine
  gpus_are $release '8.6, NVIDIA RTX A4000' '12.0, NVIDIA GeForce RTX 5090'
  expect 'wheels-13 ' "$by_nvcc_13"
done
for release in 525.60.13 535.183.01 579.99; do
  new_machine
  driver_is $release # without nvidia-smi
  expect 'wheels-12 ' "$by_clang"
done
new_machine
gpus_are 535.183.01 '8.6, NVIDIA RTX A4000'
expect 'wheels-12 ' "$by_clang"
new_machine
gpus_are 470.256.02 '8.6, NVIDIA RTX A4000'
expect 'none ' 'the NVIDIA driver is 470.256.02, and CUDA 12 needs 525 or later; update it, best to 580 or later' "$without"
expect 'none ' # said once; the program says it on every start
new_machine
program nvidia-smi <<<'echo "NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver."; exit 9'
driver_is 535.183.01
expect 'wheels-12 ' "$by_clang"

# So does the GPU.
for gpu in '5.2, GeForce GTX 980' '6.1, NVIDIA GeForce GTX 1080' '7.0, Tesla V100-PCIE-16GB'; do
  new_machine
  gpus_are 580.65.06 "$gpu" '8.6, NVIDIA RTX A4000'
  expect 'wheels-12 ' "$by_clang"
done
new_machine
gpus_are 535.183.01 '3.5, Tesla K40m'
expect 'none ' 'Tesla K40m (compute capability 3.5) is too old; chainshot runs on compute capability 5.2 and later' "$without"

# An nvcc of the machine is taken, if it suits.
new_machine
nvcc_of 13.0 75
expect 'nvcc '
gpus_are 580.65.06 '8.6, NVIDIA RTX A4000'
expect 'nvcc '
new_machine
nvcc_of 12.0 50
gpus_are 535.183.01 '6.1, NVIDIA GeForce GTX 1080'
expect 'nvcc '
new_machine
nvcc_of 13.0 75
gpus_are 535.183.01 '8.6, NVIDIA RTX A4000'
expect 'wheels-12 ' 'machine/nvcc is CUDA 13.0, which needs driver 580 or later, and this machine has 535.183.01' "$by_clang"
new_machine
nvcc_of 13.0 75
gpus_are 580.65.06 '6.1, NVIDIA GeForce GTX 1080'
expect 'wheels-12 ' \
  'machine/nvcc is CUDA 13.0, which has no code for NVIDIA GeForce GTX 1080 (compute capability 6.1)' "$by_clang"
new_machine
nvcc_of 11.8 35
too_old='machine/nvcc is CUDA 11.8, and the kernels need 12.0 or later'
expect 'none ' "$too_old" "$without"
gpus_are 580.65.06 '8.6, NVIDIA RTX A4000'
expect 'wheels-13 ' "$too_old" "$by_nvcc_13"
new_machine
program nvcc <<<'echo "nvcc: error while loading shared libraries: libstdc++.so.6" >&2; exit 127'
expect 'none ' 'machine/nvcc does not run: nvcc: error while loading shared libraries: libstdc++.so.6' "$without"
new_machine
program nvcc <<<'echo hello'
expect 'none ' 'machine/nvcc does not say which release of CUDA it belongs to' "$without"

# An nvcc that refuses g++ gets an older one.
new_machine
nvcc_of 12.2 50 g++-12
refused='machine/nvcc cannot compile C++20: unsupported GNU version! gcc versions later than 12 are not supported!'
gpus_are 535.183.01 '8.6, NVIDIA RTX A4000'
expect 'wheels-12 ' "$refused" "$by_clang"
program g++-12 <<<''
rm "$folder/build/cuda-choice"
expect 'nvcc g++-12'
rm "$folder/build/cuda-choice"
CUDAHOSTCXX=g++-11 expect 'wheels-12 ' \
  "${refused/C++20/C++20 with g++-11}" "$by_clang"

# What cannot be installed, or compiled, leaves the CPU.
new_machine
driver_is 580.65.06
CHAINSHOT_NO_INSTALL=1 expect 'none ' \
  'the CUDA compiler, nvcc 13.0 (272 MB) cannot be installed, because CHAINSHOT_NO_INSTALL is set' \
  'the parts of CUDA 12.9 cannot be installed, because CHAINSHOT_NO_INSTALL is set' "$without"
new_machine
driver_is 535.183.01
compiler=g++ expect 'none ' \
  'CUDA 12.9 from PyPI needs clang++-19 or later, and the program is compiled by g++' "$without"
: >"$folder/offline"
new_machine
driver_is 535.183.01
expect 'none ' 'the parts of CUDA 12.9 cannot be installed (see build/cuda-parts.log)' "$without"
chosen wanted >"$folder/found" # the script ends
diff "$folder/found" - <<<"chainshot: the parts of CUDA 12.9 cannot be installed (see build/cuda-parts.log)
chainshot: no CUDA compiler can be used; CHAINSHOT_CUDA takes $values" || fail 'a failure of --cuda is not said'
rm "$folder/offline"

# The user's word goes first.
new_machine
gpus_are 580.65.06 '8.6, NVIDIA RTX A4000'
nvcc_of 12.4 50
CHAINSHOT_CUDA=off expect 'none '
CHAINSHOT_CUDA=wheels expect 'wheels-13 ' "$by_nvcc_13"
CHAINSHOT_CUDA=wheels-12 expect 'wheels-12 ' "$by_clang"
mkdir "$folder/other"
mv "$machine/nvcc" "$folder/other/nvcc"
CHAINSHOT_CUDA=$folder/other/nvcc expect 'nvcc '
CHAINSHOT_CUDA=$folder/none/nvcc expect '' \
  "CHAINSHOT_CUDA is none/nvcc, which is no program; expected $values"
# What the user names need not suit this machine.
driver_is 535.183.01
rm "$machine/nvidia-smi"
CHAINSHOT_CUDA=wheels-13 expect 'wheels-13 ' "$by_nvcc_13"
CHAINSHOT_CUDA=on expect '' "CHAINSHOT_CUDA is on; expected $values"

# The machine is asked once, until its driver changes.
new_machine
gpus_are 535.183.01 '8.6, NVIDIA RTX A4000'
rm -f "$folder/asked"
expect 'wheels-12 ' "$by_clang"
expect 'wheels-12 '
[[ $(grep -c asked "$folder/asked") == 1 ]] || fail 'the machine is asked again'
gpus_are 580.65.06 '8.6, NVIDIA RTX A4000'
expect 'wheels-13 ' "$by_nvcc_13"

# A toolkit that CMake or the compiler cannot use: one sentence each, no pages, and the program is there in the end.
new_machine
gpus_are 580.65.06 '8.6, NVIDIA RTX A4000'
nvcc_of 12.6 50
program cmake <<'END'
if [[ "$*" == *-DCMAKE_CUDA_COMPILER=*/machine/nvcc* ]]; then
  printf 'CMake Error at CMakeDetermineCUDACompiler.cmake:277 (message):\n  Could not find CUDA\nA page of output.\n' >&2
  exit 1
fi
mkdir -p build/release
echo "$*" >build/release/build.ninja
END
program ninja <<'END'
if grep -q CMAKE_CUDA_COMPILER build.ninja; then
  printf 'FAILED: cuda/CMakeFiles/chainshot_cuda.dir/beam.cu.o\nnvcc crashed\nA page of output.\n'
  exit 1
fi
mkdir -p tools
printf '#!/bin/bash\necho "plays: $*"\n' >tools/chainshot
chmod +x tools/chainshot
END
rm -rf "$folder/build"
started() {
  (
    load
    build_script=$(sed -n '/^cuda=/,$p' "$folder/tools/run.sh")
    set -- show
    eval "$build_script"
  ) 2>&1 | sed "s|$folder/||g" | grep -v 'building build/release'
}
wanted="chainshot: machine/nvcc cannot build the CUDA engine (see build/release.*.log)
chainshot: $by_nvcc_13
chainshot: nvcc 13.0 from PyPI cannot build the CUDA engine (see build/release.*.log)
chainshot: $by_clang
plays: show"
found=$(started)
[[ $found == "$wanted" ]] || fail "found"$'\n'"$found"$'\n'"instead of"$'\n'"$wanted"
[[ $(started) == 'plays: show' ]] || fail 'the way that works is not kept'

# The stand-in for fatbinary.
new_machine
mkdir "$folder/bin"
cp "$folder/tools/scripts/fatbinary.sh" "$folder/bin/fatbinary"
printf '#!/bin/bash\nprintf "%%s\\n" "$@" >"%s/packed"\n' "$folder" >"$folder/bin/fatbinary-13"
printf '#!/bin/bash\necho "$*" >>"%s/assembled"\n' "$folder" >"$folder/bin/ptxas"
chmod +x "$folder/bin/"*
"$folder/bin/fatbinary" -64 --create 'a b.fatbin' '--image=profile=sm_61,file=x y.o' --image=profile=compute_90,file=p.s ||
  fail 'fatbinary.sh fails'
packed=$(sed -E "s|file=/.*/sm_|file=TMP/sm_|" "$folder/packed" | tr '\n' ' ')
[[ $packed == '--compress=false -64 --create a b.fatbin --image3=kind=elf,sm=61,file=x y.o '`
  `'--image3=kind=elf,sm=100,file=TMP/sm_100 --image3=kind=elf,sm=103,file=TMP/sm_103 '`
  `'--image3=kind=elf,sm=120,file=TMP/sm_120 --image3=kind=elf,sm=121,file=TMP/sm_121 '`
  `'--image3=kind=ptx,sm=90,file=p.s ' ]] || fail "fatbinary.sh packs '$packed'"
grep -q -- '--gpu-name sm_120 .* p.s$' "$folder/assembled" || fail 'fatbinary.sh makes no machine code from PTX'
