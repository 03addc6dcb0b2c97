/* The options of a query, read exactly: what may be spent, and how answers are to look.
 *
 * Claim  plan-options.required  neither epsilon nor delta has a default; what is outside of its
 *                               domain is refused before data are opened, and says what is legal
 * Claim  plan-options.rho       with a rho, epsilon is one that it keeps at delta, and noise is Gaussian
 */
#ifndef SC_QUERY_PLAN_OPTIONS_H
#define SC_QUERY_PLAN_OPTIONS_H

#include "base/memory.h"
#include "base/number/ratio.h"
#include "query/estimate/column_guess.h"
#include "scrim/query.h"
#include "vault/state/event.h"

/* Epsilon is from 2^-60 to 1000. Beyond so many bits above or below the line a number is
 * SCRIM_E_LIMIT: what parts of it cost can then be charged without rounding. */
#define SC_PLAN_EPSILON_BITS 120
#define SC_PLAN_DELTA_BITS 160
#define SC_PLAN_NUMBER_BITS 62

/* Queries of a batch; beyond this a plan is SCRIM_E_LIMIT. */
#define SC_PLAN_STATEMENTS 256
/* Shares are integers from 1 to this. */
#define SC_PLAN_SHARE_MOST 1000000

typedef enum sc_plan_noise {
    SC_PLAN_ANY_NOISE = 0,
    SC_PLAN_LAPLACE,
    SC_PLAN_GAUSSIAN
} sc_plan_noise;

typedef struct sc_plan_options {
    bool has_epsilon; /* else the target */
    sc_ratio epsilon, delta, target, confidence, expect;
    sc_ratio rho;     /* 0: not given; else epsilon is what it has at delta, rounded up */
    bool is_relative; /* the target is a part of the value */
    bool has_expect;  /* another one than is taken without */
    bool says_rows;   /* the rows were given, whatever they are */
    sc_column_guesses guesses;
    sc_plan_noise noise;
    uint32_t shares[SC_PLAN_STATEMENTS];   /* of the queries of a batch, */
    size_t share_count;                    /* where they were given; else 0 */
    char version[SC_EVENT_NAME_BYTES + 1]; /* of contents that are pushed; "": none */
    uint64_t rows_upper;                   /* of rows that are pushed; 0: not known */
    unsigned workers;
    size_t memory_bytes;
    void (*progress)(void *context, uint64_t done, uint64_t total);
    int (*is_cancelled)(void *context);
    void *context;
} sc_plan_options;

void sc_plan_options_init(sc_plan_options *options);
void sc_plan_options_clear(sc_plan_options *options);

/* SCRIM_E_PARAM for what is no number, is outside of its domain or is missing; SCRIM_E_LIMIT beyond
 * the sizes above. */
SCRIM_MUST_USE scrim_status sc_plan_options_read(const scrim_query_options *given,
                                                 sc_plan_options *out,
                                                 scrim_error *error);

/* What is expected, "1000,age=38.6:13.6". */
void sc_plan_options_put_expect(const sc_plan_options *options, sc_text_sink *sink);

/* "2,1,1"; nothing where no shares were given. */
void sc_plan_options_put_shares(const sc_plan_options *options, sc_text_sink *sink);

/* Options as texts that end in a zero byte, each in its one spelling. */
typedef struct sc_plan_option_texts {
    sc_text epsilon, delta, expect;
} sc_plan_option_texts;

/* The texts live in the arena. False without memory. */
bool sc_plan_options_copy_texts(const sc_plan_options *options, sc_arena *arena,
                                sc_plan_option_texts *out);

/* "laplace", "gaussian"; NULL for any. */
const char *sc_plan_noise_name(sc_plan_noise noise);

#endif
