// postgresql: the query on a PostgreSQL server, which peers/postgresql.py starts in a temporary folder, as a user would
// run it: tables without indexes, PostgreSQL's own choice of a plan. The document names no version and no settings.
#include "baselines/theta_join/external.hpp"

namespace warpbench::theta {
namespace {

[[maybe_unused]] const bool kRegisteredPostgresql = register_external<ThetaJoin, ExternalJoin>(
    {.id = "postgresql",
     .title = "PostgreSQL on a server of its own",
     .source = "bellas2022, §3.3.4",
     .role = Role::peer,
     .device = Target::cpu,
     .parameters = {parameter("threads", 1)
                        .range(0, 1024)
                        .alias("all", 0)
                        .means("processes that a plan may use: max_parallel_workers_per_gather + 1; 0 or all: CPUs"),
                    parameter("work_mem", 4)
                        .range(1, 1 << 20)
                        .in("MiB")
                        .means("memory of a sort, hash table or materialized input before it goes to disk")},
     .smoke = {{"threads", 2}}},
    "WARPBENCH_POSTGRESQL",
    "needs PostgreSQL: apt-get install postgresql, then export WARPBENCH_POSTGRESQL='python3 …/peers/postgresql.py'");

}  // namespace
}  // namespace warpbench::theta
