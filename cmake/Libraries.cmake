# Optional libraries of single files; scripts/packages.sh reads the Debian packages from here. If one is missing, the
# build continues and reports the loss, as do `warpbench list` and `doctor`. The parts of a line:
# NAME         its files are compiled with WARPBENCH_HAS_NAME if the library is found
# DEBIAN       the package
# HEADER       a header that shows that it is installed; FOLDER: its folder within an include folder
# LIBRARY      possible names of the library to link; none if it is header-only
# SOURCES      the files that use it
# LOSES        the features that are missing without it
warpbench_library(OPENSSL DEBIAN libssl-dev HEADER openssl/evp.h LIBRARY crypto
                  SOURCES datasets/io/digest.cpp LOSES "SHA-256 checks of dataset files")
warpbench_library(CURL DEBIAN libcurl4-openssl-dev HEADER curl/curl.h LIBRARY curl
                  SOURCES datasets/io/fetch.cpp LOSES "`datasets fetch`")
warpbench_library(HDF5 DEBIAN libhdf5-dev HEADER hdf5.h FOLDER hdf5/serial LIBRARY hdf5_serial hdf5
                  SOURCES datasets/loaders/vectors/hdf5_vectors.cpp LOSES "file format `hdf5`")
warpbench_library(DYNAMIC_BITSET DEBIAN libboost-dev HEADER boost/dynamic_bitset.hpp
                  SOURCES baselines/sets/bitset.cpp LOSES "solver `bitset` of set_intersection")
warpbench_library(BOOST_GRAPH DEBIAN libboost-dev HEADER boost/graph/vf2_sub_graph_iso.hpp
                  SOURCES baselines/subgraph_matching/vf2.cpp LOSES "solver `vf2` of subgraph_matching")
warpbench_library(ROARING DEBIAN libroaring-dev HEADER roaring/roaring.h LIBRARY roaring
                  SOURCES baselines/sets/roaring.cpp LOSES "solver `roaring` of set_intersection")
warpbench_library(EIGEN DEBIAN libeigen3-dev HEADER Eigen/Core FOLDER eigen3
                  SOURCES baselines/sets/mmjoin.cpp algorithms/sets/mm/matrix_product.simt.cpp
                  LOSES "solver `mmjoin` of set_containment, and `mm` without a GPU")
warpbench_library(HNSWLIB DEBIAN libhnswlib-dev HEADER hnswlib/hnswlib.h
                  SOURCES baselines/nearest_neighbors/hnsw.cpp LOSES "solver `hnsw` of nearest_neighbors")
