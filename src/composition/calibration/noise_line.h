/* The line of a mechanism with the parameter left open that sets its noise.
 *
 *     gaussian sensitivity=1 neighbours=add-remove          sigma is open
 *     laplace sensitivity=1 grid=0.01                       scale
 *     exponential sensitivity=1 candidates=10               epsilon
 *     continuous-gaussian                                   sigma, to compare with
 *     poisson rate=0.01 gaussian                            sigma, of a release on a sample
 *
 * Open is scale where the mechanism has one, else sigma, else epsilon. What is left out of the line
 * is what it is where no data is involved: add-remove, sensitivity 1, threshold 0.
 *
 * Claim  noise-line.whole  a line that is completed is the line that was given, with the open
 *                          parameter added and nothing else but the delta of each release and
 *                          the size that was asked for
 */
#ifndef SC_COMPOSITION_NOISE_LINE_H
#define SC_COMPOSITION_NOISE_LINE_H

#include "base/number/ratio.h"
#include "model/mechanism.h"

typedef struct sc_noise_line {
    const sc_mechanism *mechanism; /* NULL: a continuous one */
    const char *name;
    const char *open; /* "scale", "sigma" or "epsilon" */
    bool grows;       /* with its value, and not against it, noise grows */
    bool is_sampled;  /* each unit is kept with probability rate */
    sc_ratio rate;
    char *fixed;                      /* owned: "NAME key=value ..." */
    char *audit;                      /* owned: " candidates=10", what no release takes */
    bool needs_delta;                 /* each release has a delta of its own, not given */
    const char *low_text, *high_text; /* the open parameter is from low to high */
    sc_ratio low, high;
    bool has_epsilon, has_delta; /* given in the line: what is wanted of all together */
    sc_ratio epsilon, delta;
    bool has_sensitivity; /* the mechanism has one */
    sc_ratio sensitivity; /* given, or 1 */
    uint64_t
        values; /* that an input has, by size, candidates, records or queries; 0: it was not
                      * said */
    bool needs_values; /* its error bound holds only for a known number of values */
} sc_noise_line;

void sc_noise_line_init(sc_noise_line *line);
void sc_noise_line_clear(sc_noise_line *line);
/* takes_delta: a delta in the line is what each release has, and not what is wanted. SCRIM_E_SYNTAX,
 * SCRIM_E_PARAM, also for a line that says how much noise, SCRIM_E_LIMIT, SCRIM_E_MEMORY; out, which
 * is initialised, is to be cleared all the same. */
SCRIM_MUST_USE scrim_status sc_noise_line_parse(const char *text, bool takes_delta,
                                                sc_noise_line *out, scrim_error *error);

/* Sets the number of values of an input, at least 1. A mechanism with a size gets this number as
 * its size, since noise for a vector costs more than noise for one of its values. SCRIM_E_PARAM
 * where the line says another number, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_noise_line_set_values(sc_noise_line *line, uint64_t values,
                                                     scrim_error *error);

/* Puts "poisson rate=R " where the line is of releases on samples, else nothing. */
void sc_noise_line_put_sampling(const sc_noise_line *line, sc_text_sink *sink);

/* The text of the mechanism, without the sampling, with the open parameter set, and with the delta of each release unless that is NULL; in
 * memory of sc_allocate. with_audit: also what no release takes. */
SCRIM_MUST_USE scrim_status sc_noise_line_complete(const sc_noise_line *line,
                                                   const sc_ratio *value,
                                                   const sc_ratio *delta, bool with_audit,
                                                   char **out, scrim_error *error);

/* How far continuous noise reaches, to compare with what is drawn.
 *
 * Claim  continuous-radius.tail  noise of scale or sigma 1 leaves the radius with a probability of at
 *                                most beta, and one that is smaller by 2^-50 of it does not
 *
 * Reference  spec/mechanisms.md 4.1, 4.3
 */

/* In scales and in sigmas; 0 < beta < 1. False where it is beyond 2^-60 to 2^20. */
bool sc_continuous_laplace_radius(const sc_ratio *beta, sc_ratio *out);
bool sc_continuous_gaussian_radius(const sc_ratio *beta, sc_ratio *out);

#endif
