#!/bin/sh
# The sources that a loader fuzzer needs: the data model and the loaders, nothing with OpenSSL or libcurl in it.
set -eu
cd "$(dirname "$0")/../.."
ls datasets/loaders/*.cpp datasets/csr.cpp datasets/dataset.cpp datasets/declared.cpp datasets/digest.cpp \
   datasets/input_error.cpp datasets/kind.cpp datasets/labelled_graph.cpp datasets/mapped_file.cpp \
   datasets/parallel.cpp datasets/property.cpp
