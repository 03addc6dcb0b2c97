#include "mechanism/selection/noisy_max.h"

#include "base/memory.h"
#include "mechanism/selection/score_pairs.h"

/* Noise that is drawn at a time. */
#define BLOCK 256

/* The best of those seen so far. */
typedef struct leader {
    sc_int128 value;
    size_t index;
} leader;

/* Only a larger value takes the lead, so that the lowest index keeps a tie. */
static inline void contend(leader *best, sc_int128 value, size_t index)
{
    const uint64_t wins = sc_mask(value > best->value);
    best->index = (size_t)sc_mask_select(wins, index, best->index);
    best->value =
        (sc_int128)sc_mask_select_128(wins, (sc_uint128)value, (sc_uint128)best->value);
}

scrim_status sc_noisy_max_choose(sc_bits *bits, const sc_blocks *noise,
                                 const int64_t *scores, size_t count, size_t *out,
                                 scrim_error *error)
{
    sc_int128 drawn[BLOCK];
    leader best = {.value = SC_INT128_MIN};
    scrim_status status = SCRIM_OK;
    for (size_t start = 0; status == SCRIM_OK && start < count; start += BLOCK) {
        const size_t block = count - start < BLOCK ? count - start : BLOCK;
        status = sc_blocks_fill_wide(bits, noise, block, drawn, error);
        for (size_t i = 0; status == SCRIM_OK && i < block; i++)
            contend(&best, scores[start + i] + drawn[i], start + i);
    }
    if (status == SCRIM_OK)
        *out = best.index;
    sc_wipe(drawn, sizeof drawn);
    sc_wipe(&best, sizeof best);
    return status;
}

/* The way to choose, and the mechanism. */

static const char *const noises[] = {"laplace", "geometric", NULL};

typedef struct prepared {
    sc_blocks noise;
    bool is_geometric;
} prepared;

static scrim_status prepare(const scrim_measurement *m, sc_scores *s, scrim_error *error)
{
    prepared *p = sc_allocate(1, sizeof *p);
    if (p == NULL)
        return sc_no_memory(error, "a measurement");
    p->is_geometric = sc_parameters_word(&m->parameters, "noise", 0) == 1;
    const sc_blocks_law law = {.sides = p->is_geometric ? SC_SIDES_ONE : SC_SIDES_BOTH};
    scrim_status status = sc_blocks_init(&p->noise, &law, &s->rate, error);
    if (status == SCRIM_OK)
        s->prepared = p;
    else
        sc_free(p);
    return status;
}

static void discard(void *memory)
{
    prepared *p = memory;
    if (p != NULL)
        sc_blocks_clear(&p->noise);
    sc_free(p);
}

static scrim_status choose(const sc_scores *s, sc_bits *bits, const int64_t *scores,
                           size_t count, size_t *out, scrim_error *error)
{
    const prepared *p = s->prepared;
    return sc_noisy_max_choose(bits, &p->noise, scores, count, out, error);
}

static scrim_status probabilities(const sc_scores *s, const int64_t *scores, size_t count,
                                  long bits, sc_ball *out, scrim_error *error)
{
    const prepared *p = s->prepared;
    return sc_noisy_max_probabilities(&s->rate, p->is_geometric, scores, count, bits, out,
                                      error);
}

static void miss_upper(const sc_scores *s, uint64_t gap, size_t count, long bits,
                       sc_ball *out)
{
    const prepared *p = s->prepared;
    sc_noisy_max_miss(&s->rate, p->is_geometric, gap, count, bits, out);
}

static const sc_choice noisy_max_choice = {
    .prepare = prepare,
    .discard = discard,
    .choose = choose,
    .probabilities = probabilities,
    .miss_upper = miss_upper,
};

static const sc_parameter_rule parameters[] = {
    SC_SCORES_PARAMETERS,
    SC_RULE_WORD("noise", noises, "laplace or geometric"),
    SC_SCORES_LAST,
};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    return sc_scores_check(m, &noisy_max_choice, 1, error);
}

const sc_mechanism sc_noisy_max = {
    .entry = {.name = "noisy-max",
              .parameters = SC_SCORES_TEXT_REQUIRED
              " [" SC_SCORES_TEXT_OPTIONAL
              " noise=laplace|geometric]" SC_SCORES_TEXT_AUDIT,
              .input = "scores",
              .claim = "epsilon-DP, pure",
              .reference = "Dwork, Roth: The Algorithmic Foundations of Differential "
                           "Privacy, 2014, section 3.3; errata 53 and 54"},
    .check = check,
    .cost = sc_scores_cost_pure,
    SC_SCORES_MEMBERS,
    SC_SCORES_MEMBERS_ONE,
};
