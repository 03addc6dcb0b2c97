/* The catalogue of distributions: each is one constant descriptor, from which come the
 * public interface, `scrim list distributions`, `scrim sample` and the tests over all of
 * them. */
#ifndef SC_SAMPLING_DISTRIBUTION_H
#define SC_SAMPLING_DISTRIBUTION_H

#include "base/number/parameters.h"
#include "random/bits.h"
#include "sampling/bernoulli_exp.h"
#include "sampling/blocks.h"
#include "sampling/discrete_gaussian.h"
#include "sampling/law.h"
#include "scrim/distribution.h"

typedef struct sc_distribution_kind sc_distribution_kind;
struct sc_distribution_kind {
    scrim_distribution_entry entry;
    const sc_parameter_rule *parameters;
    size_t parameter_count;
    const sc_law_functions *law;
    /* The parameters as the law and the samplers take them. */
    const char *shape;  /* the name of the parameter that is the law's shape; or NULL */
    bool shape_is_rate; /* it is 1/scale */
    const char *bound;  /* likewise for the law's bound */
    /* Builds and discards what the fast implementation needs; sets is_narrow. */
    scrim_status (*prepare)(scrim_distribution *distribution, scrim_error *error);
    void (*discard)(scrim_distribution *distribution);
    /* One draw by either implementation. */
    scrim_status (*fast)(const scrim_distribution *distribution, sc_bits *bits,
                         sc_int128 *out, scrim_error *error);
    scrim_status (*reference)(const scrim_distribution *distribution, sc_bits *bits,
                              sc_int128 *out, scrim_error *error);
    /* Many draws of the reference; NULL where one after the other is as good. */
    scrim_status (*reference_fill)(const scrim_distribution *distribution, sc_bits *bits,
                                   size_t count, sc_int128 *out, scrim_error *error);
    /* Many narrow draws at once; NULL where one after the other is as good. */
    scrim_status (*fill)(const scrim_distribution *distribution, sc_bits *bits,
                         size_t count, int64_t *out, scrim_error *error);
};

struct scrim_distribution {
    const sc_distribution_kind *kind;
    sc_parameters parameters;
    sc_law law;
    char *text;
    bool is_narrow;
    bool is_prepared;
    /* The source of the last draw. A draw takes it away and puts it back, so that no other
     * thread draws from it meanwhile, and a process that is forked meanwhile does not have it. */
    _Atomic(sc_bits *) kept;
    sc_bits *tape; /* test builds: what draws come from; NULL: none */
    union {
        sc_coin coin;
        sc_exp_coin exp_coin;
        sc_blocks blocks;
    } fast;
    sc_fraction
        parts; /* for the reference implementation: the shape, or 1/shape where it is a rate */
    sc_gaussian gaussian; /* for the reference implementation of the discrete Gaussian */
};

/* Each kind by index; NULL past the last. */
const sc_distribution_kind *sc_distribution_kind_at(size_t index);

/* Draws by the reference implementation, from any source. */
SCRIM_MUST_USE scrim_status
sc_distribution_reference(const scrim_distribution *distribution, sc_bits *bits,
                          size_t count, sc_int128 *out, scrim_error *error);
/* Draws by the fast implementation, from any source; the narrow form for is_narrow only. */
SCRIM_MUST_USE scrim_status sc_distribution_fill(const scrim_distribution *distribution,
                                                 sc_bits *bits, size_t count,
                                                 int64_t *out, scrim_error *error);
SCRIM_MUST_USE scrim_status
sc_distribution_fill_wide(const scrim_distribution *distribution, sc_bits *bits,
                          size_t count, sc_int128 *out, scrim_error *error);

#endif
