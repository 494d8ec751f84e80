// duckdb: the query in DuckDB, within the process of peers/duckdb_peer.py. Rows are brought to that process's memory
// as NumPy arrays.
#include "baselines/theta_join/external.hpp"

#include "solvers/threads.hpp"

namespace warpbench::theta {
namespace {

[[maybe_unused]] const bool kRegisteredDuckdb = register_external<ThetaJoin, ExternalJoin>(
    {.id = "duckdb",
     .title = "DuckDB, in memory",
     .source = "https://duckdb.org",
     .role = Role::peer,
     .device = Target::cpu,
     .parameters = {threads_parameter()},
     .smoke = {{"threads", 2}}},
    "WARPBENCH_DUCKDB",
    "needs DuckDB: pip install duckdb numpy, then export WARPBENCH_DUCKDB='PYTHON …/peers/duckdb_peer.py'");

}  // namespace
}  // namespace warpbench::theta
