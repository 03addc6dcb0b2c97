#include "bench.h"
#include "draws.h"

BENCH(discrete_laplace)
{
    draws_fast("discrete-laplace scale=1/3", 50, 100);
    draws_fast("discrete-laplace scale=1", 50, 100);
    draws_fast("discrete-laplace scale=10", 50, 100);
    draws_fast("discrete-laplace scale=1000", 30, 0);
    draws_fast("discrete-laplace scale=1e6", 30, 0);
    draws_fast("discrete-laplace scale=2^40", 0, 0);
    draws_reference("discrete-laplace scale=1", 10);
    draws_reference("discrete-laplace scale=10", 10);
    draws_reference("discrete-laplace scale=1e6", 10);
    draws_single("discrete-laplace scale=10");
    draws_set_up("discrete-laplace scale=10");
    draws_set_up("discrete-laplace scale=1e6");
}
