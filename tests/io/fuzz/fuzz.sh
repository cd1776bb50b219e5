#!/bin/sh
# Fuzzes one target under AddressSanitizer and UBSan: fuzz.sh CLANG SOURCE BUILD PYTHON TARGET SECONDS
# A crash leaves its input in BUILD/fuzz/TARGET.found and makes this fail.
set -eu
clang=$1 source=$2 build=$3 python=$4 target=$5 seconds=$6
work=$build/fuzz
mkdir -p "$work"
(
  flock 9
  if [ ! -e "$work/fuzzer" ] || [ -n "$(find "$source/src/base" "$source/src/data" "$source/src/io" "$source/tests/io/fuzz" \
       -newer "$work/fuzzer" -name '*.[ch]pp')" ]; then
    io=
    for file in byte_source lines pieces decimal read_lines csv coordinates mtx tns npy npy_header npz write write_npz sink atomic; do
      io="$io $source/src/io/$file.cpp"
    done
    includes=
    for layer in base data io; do includes="$includes -I$build/include/$layer"; done
    "$clang" -std=c++20 -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
      -D_GLIBCXX_ASSERTIONS $includes -I"$source/tests" -o "$work/fuzzer.new" \
      "$source"/tests/io/fuzz/targets.cpp "$source"/tests/io/fuzz/libfuzzer.cpp \
      "$source"/src/base/error.cpp "$source"/src/base/text.cpp "$source"/src/base/memory.cpp "$source"/src/base/parallel.cpp \
      "$source"/src/base/digest.cpp "$source"/src/data/*.cpp $io -lfmt -lz -lzip -lxxhash
    mv "$work/fuzzer.new" "$work/fuzzer"
  fi
) 9> "$work/lock"
mkdir -p "$work/$target" "$work/$target.found"
if [ -z "$(ls "$work/$target")" ]; then
  "$python" "$source/tests/io/fuzz/seeds.py" "$work/seeds.$target" 400 2> /dev/null
  mv "$work/seeds.$target/$target"-* "$work/$target/"
  rm -r "$work/seeds.$target"
fi
# An input may take 10 s (of a busy machine) and one allocation 256 MB; the sanitizer itself holds some 400 MB.
GINGHAM_FUZZ=$target "$work/fuzzer" "$work/$target" -max_total_time="$seconds" -max_len=65536 -timeout=10 \
  -rss_limit_mb=1024 -malloc_limit_mb=256 -artifact_prefix="$work/$target.found/" -print_final_stats=1 -verbosity=0
