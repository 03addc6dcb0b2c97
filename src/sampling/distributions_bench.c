/* The laws that have no bench of their own, once each. */
#include "bench.h"
#include "draws.h"

BENCH(distributions)
{
    draws_fast("uniform n=1000", 0, 0);
    draws_fast("bernoulli p=1/3", 0, 0);
    draws_fast("bernoulli-exp x=1/3", 0, 0);
    draws_fast("geometric scale=10", 0, 0);
    draws_fast("truncated-laplace scale=10 bound=200", 0, 0);
    draws_fast("clamped-laplace scale=10 bound=200", 0, 0);
    draws_fast("shifted-laplace epsilon=1/10 q=400", 0, 0);
}
