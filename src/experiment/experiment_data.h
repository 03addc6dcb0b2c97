/* The data of the six experiments of spec/flexible-accuracy.md 13.2, made here: no file is read. */
#ifndef SC_EXPERIMENT_EXPERIMENT_DATA_H
#define SC_EXPERIMENT_EXPERIMENT_DATA_H

#include "experiment/heights.h"
#include "random/bits.h"

#define SC_EXPERIMENTS 6

typedef struct sc_experiment_kind {
    unsigned number;
    const char *statistic; /* "max_500" */
    sc_height_statistic f;
    size_t bars;
    const char *data; /* in words */
    bool is_drawn;    /* each data set is another; else all are the same */
} sc_experiment_kind;

/* From 1 to SC_EXPERIMENTS, else NULL. is_noisy: the bars of the sixth are Poisson numbers about
 * their heights. */
const sc_experiment_kind *sc_experiment_kind_of(unsigned number, bool is_noisy);

/* One data set. */
SCRIM_MUST_USE scrim_status sc_experiment_make(const sc_experiment_kind *kind,
                                               sc_bits *bits, sc_heights *out,
                                               scrim_error *error);

/* A uniform number in (0, 1), of 53 bits, and a Poisson number by inversion, mean <= 500. Doubles:
 * for data that stand for those of others, and never for noise that protects anybody. */
SCRIM_MUST_USE scrim_status sc_real_uniform(sc_bits *bits, double *out,
                                            scrim_error *error);

#endif
