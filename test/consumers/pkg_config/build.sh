#!/bin/sh
# A compiler and pkg-config, nothing else: build.sh static|shared <program>
set -eu
source=$(dirname "$0")/../program.cpp
case $1 in
  shared)
    libs=$(pkg-config --libs hopsack)
    libs="$libs -Wl,-rpath,$(pkg-config --variable=libdir hopsack)"
    ;;
  static)
    libs="-Wl,-Bstatic $(pkg-config --static --libs hopsack) -Wl,-Bdynamic"
    ;;
esac
# shellcheck disable=SC2086: words are wanted
${CXX:-g++} -std=c++20 -O1 -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags hopsack) "$source" -o "$2" $libs
