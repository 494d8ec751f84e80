#!/bin/sh
# Prints the sources that a loader fuzzer needs: the data model and the loaders, without OpenSSL, libcurl or HDF5 (the
# HDF5 loader refuses everything if the library is missing).
set -eu
cd "$(dirname "$0")/../.."
ls datasets/loaders/*.cpp datasets/loaders/*/*.cpp datasets/graphs/*.cpp datasets/dataset.cpp datasets/input_error.cpp \
   datasets/kind.cpp datasets/parallel.cpp datasets/ratings.cpp datasets/relations.cpp datasets/sets.cpp \
   datasets/vectors.cpp datasets/io/digest.cpp datasets/io/isolated.cpp datasets/io/mapped_file.cpp datasets/io/usable_memory.cpp \
   datasets/parameters/*.cpp datasets/transforms/relations.cpp datasets/transforms/vectors.cpp
