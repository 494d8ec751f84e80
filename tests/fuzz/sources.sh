#!/bin/sh
# Prints the sources that a loader fuzzer needs: the data model and the loaders, without OpenSSL, libcurl or HDF5 (the
# HDF5 loader refuses everything if the library is missing).
set -eu
cd "$(dirname "$0")/../.."
ls datasets/loaders/*.cpp datasets/loaders/*/*.cpp datasets/csr.cpp datasets/dataset.cpp datasets/parameters/declared.cpp datasets/parameters/nearest_name.cpp datasets/io/digest.cpp \
   datasets/graph_queries.cpp datasets/input_error.cpp datasets/kind.cpp datasets/edges/labelled_edges.cpp \
   datasets/labelled_graph.cpp datasets/io/mapped_file.cpp \
   datasets/parallel.cpp datasets/parameters/property.cpp datasets/ratings.cpp datasets/sets.cpp datasets/vectors.cpp
