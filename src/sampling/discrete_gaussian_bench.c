#include "bench.h"
#include "draws.h"

/* Sigma is 1/3, 1, 10, 1000, 10^6 and 2^40. */
BENCH(discrete_gaussian)
{
    draws_fast("discrete-gaussian variance=1/9", 50, 100);
    draws_fast("discrete-gaussian variance=1", 50, 100);
    draws_fast("discrete-gaussian variance=100", 50, 100);
    draws_fast("discrete-gaussian variance=1e6", 30, 0);
    draws_fast("discrete-gaussian variance=1e12", 30, 0);
    draws_fast("discrete-gaussian variance=2^80", 0, 0);
    draws_reference("discrete-gaussian variance=1", 10);
    draws_reference("discrete-gaussian variance=100", 10);
    draws_reference("discrete-gaussian variance=1e12", 10);
    draws_single("discrete-gaussian variance=100");
    draws_set_up("discrete-gaussian variance=100");
    draws_set_up("discrete-gaussian variance=1e12");
}
