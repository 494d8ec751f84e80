#!/bin/sh
# The sources that a loader fuzzer needs: the data model and the loaders, nothing with OpenSSL, libcurl or HDF5 in
# it (that loader refuses everything where the library is missing).
set -eu
cd "$(dirname "$0")/../.."
ls datasets/loaders/*.cpp datasets/loaders/*/*.cpp datasets/csr.cpp datasets/dataset.cpp datasets/parameters/declared.cpp datasets/parameters/nearest_name.cpp datasets/io/digest.cpp \
   datasets/graph_queries.cpp datasets/input_error.cpp datasets/kind.cpp datasets/labelled_edges.cpp \
   datasets/labelled_graph.cpp datasets/io/mapped_file.cpp \
   datasets/parallel.cpp datasets/parameters/property.cpp datasets/sets.cpp datasets/vectors.cpp
