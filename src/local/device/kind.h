/* Descriptors of protocols, and the shape that protocols of one draw share. */
#ifndef SL_KIND_H
#define SL_KIND_H

#include "local/device/device_draws.h"

/* A protocol of the device: one constant for each, listed in kind_table.c.
 *
 * Its functions get configurations that were checked. Values and texts are secret: no branch and no
 * address depends on them, nor on random words that a report keeps secret.
 */

/* The words of a configuration's text, in their order: one bit each, by what a protocol has. */
enum {
    SL_VALUES = 1 << 0,
    SL_A = 1 << 1,
    SL_B = 1 << 2,
    SL_FIELD = 1 << 3,
    SL_DIGITS = 1 << 4,
    SL_CHOSEN = 1 << 5,
    SL_BLOCKS = 1 << 6,
    SL_ORDER = 1 << 7,
    SL_WIDTH = 1 << 8,
    SL_KEEP = 1 << 9,
    SL_FLIP = 1 << 10,
    SL_TEXT = 1 << 11,
    SL_CELLS = 1 << 12,
    SL_BITS = 1 << 13,
    SL_HASHES = 1 << 14,
    SL_COHORTS = 1 << 15,
    SL_F = 1 << 16,
    SL_P = 1 << 17,
    SL_Q = 1 << 18,
    SL_PREFIXES = 1 << 19,
    SL_EPOCH = 1 << 20,
    SL_METRIC = 1 << 21
};
#define SL_AB (SL_A | SL_B)

/* The total of all weights of a draw is below this. */
#define SL_TOTAL_LIMIT ((uint64_t)1 << 62)

/* Digits of a point; K < 2^26. */
#define SL_PLACES 26
/* Outputs and values of protocols with a table of counts at the server are fewer. */
#define SL_OUTPUTS_LIMIT ((uint64_t)1 << 26)
/* The most values of a protocol that has a bit for each. */
#define SL_BITMAP_LIMIT ((uint32_t)1 << 16)

/* times * (ln(over / under) + ln(also_over / also_under)); it has no bound where under is 0, and no second
 * part where also_under is 0. */
typedef struct sl_loss {
    uint64_t over, under;
    uint32_t times;
    uint64_t also_over, also_under;
} sl_loss;

/* Public numbers that are computed once for many reports. */
typedef struct sl_plan {
    const scrim_local_config *config;
    sl_range total; /* W: u is uniform below it */
    uint64_t
        likely; /* u below it: outputs of weight A, else B; with noise: it is not 0 */
    sl_divisor a, b; /* weights */
    sl_coin coin;    /* heads have b parts */
    uint32_t bytes;  /* of the report, or of its first number */
    /* projective-geometry, local-hashing, hadamard */
    sl_small field; /* q, g; b - 1 */
    sl_range seeds; /* local-hashing: g^m; prefix: groups */
    /* projective-geometry: q^e, and how many points have their leading 1 at a weight below q^e */
    uint32_t power[SL_PLACES], offset[SL_PLACES];
    uint32_t step[SL_PLACES]; /* q^e - 2 q^(e-1) */
} sl_plan;

/* A value, or a text where the configuration has one. */
typedef struct sl_secret {
    uint64_t value;
    const uint8_t *text;
} sl_secret;

typedef struct sl_kind {
    const char *name;
    uint32_t words;
    /* The fault of its parameters; b < a is checked already. */
    scrim_local_status (*check)(const scrim_local_config *config);
    size_t (*report_bytes)(const scrim_local_config *config);
    sl_loss (*loss)(const scrim_local_config *config);
    /* Fills the plan; NULL where neither of the following needs one. */
    void (*prepare)(const scrim_local_config *config, sl_plan *plan);
    /* Writes a report of a value, of any 64 bits; NULL: it takes a text, or a state. */
    void (*encode)(const sl_plan *plan, uint64_t value, sl_bits *bits, uint8_t *report);
    /* As `count` calls of encode, without a call for each; NULL: encode is called for each. */
    void (*encode_many)(const sl_plan *plan, const uint32_t *values, size_t count,
                        sl_bits *bits, uint8_t *reports);
    /* A report of a text. */
    void (*encode_text)(const sl_plan *plan, const uint8_t *text, sl_bits *bits,
                        uint8_t *report);
    /* Protocols with a permanent answer: encode is the one after the other from the same words. A device
     * with a state makes what does not depend on the value, and belongs to the device, of `device`, the
     * rest of `kept`; the answer is laid out like a report. NULL for all others. */
    void (*permanent)(const sl_plan *plan, sl_secret secret, sl_bits *device,
                      sl_bits *kept, uint8_t *out);
    /* Makes it a report, of fresh words. */
    void (*perturb)(const sl_plan *plan, sl_bits *fresh, uint8_t *report);
    uint32_t is_number; /* 1: values are numbers, of which a mean is taken */
} sl_kind;

/* Protocols of one draw: each value has a set of outputs of weight a, all others have weight b; the
 * sizes of the sets are equal, so that the loss is ln(a/b). */

sl_loss sl_set_loss(const scrim_local_config *config);
/* Fills all of the plan but bytes: `size` outputs in each set, and the total weight. */
void sl_set_prepare(const scrim_local_config *config, uint64_t size, uint64_t total,
                    sl_plan *plan);

/* SCRIM_LOCAL_E_PARAM unless it is a prime below 2^16. */
scrim_local_status sl_field_check(uint32_t q);

/* Which output: the place in the set, or among all others. */
typedef struct sl_set_draw {
    uint64_t inside; /* mask */
    uint64_t place;
} sl_set_draw;

static inline sl_set_draw sl_set_uniform(const sl_plan *plan, sl_bits *bits)
{
    const uint64_t u = sl_uniform(bits, &plan->total);
    const uint64_t inside = sl_mask_less(u, plan->likely);
    const sl_divisor weight = sl_divisor_select(inside, plan->a, plan->b);
    const sl_set_draw draw = {inside, sl_divide(weight, u - (plan->likely & ~inside))};
    return draw;
}

/* Randomised response over `values` values: prepare fills all of the plan, draw gives the answer
 * of a value. */
void sl_response_prepare(const scrim_local_config *config, uint64_t values,
                         sl_plan *plan);
static inline uint64_t sl_response_draw(const sl_plan *plan, uint64_t x, sl_bits *bits)
{
    const uint64_t u = sl_uniform(bits, &plan->total), likely = plan->likely;
    const uint64_t own = sl_mask_less(u, likely);
    const uint64_t place = sl_divide(plan->b, (u - likely) & ~own);
    return sl_select(own, x, place + 1 - (sl_mask_less(place, x) & 1));
}

/* All protocols, by number (kind_table.c). */

/* NULL: there is no such protocol. */
const sl_kind *sl_kind_of(uint32_t protocol);
/* Whether it makes reports of values, or, with is_text = 1, of texts, and has its table; kind may be NULL. */
int sl_kind_takes(const sl_kind *kind, const scrim_local_config *config, int is_text);

#endif
