#include "mechanism/selection/top_k.h"

#include "base/memory.h"
#include "mechanism/selection/exponential.h"
#include "mechanism/selection/permute_and_flip.h"
#include "mechanism/selection/scores.h"

#include <string.h>

static const char *const methods[] = {"permute-and-flip", "exponential", NULL};

static const sc_parameter_rule parameters[] = {
    SC_SCORES_PARAMETERS,
    {.name = "k",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "2^20",
     .domain = "an integer from 1 to 1048576"},
    SC_RULE_WORD("method", methods, "permute-and-flip or exponential"),
    SC_SCORES_LAST,
};

static bool is_exponential(const scrim_measurement *m)
{
    return sc_parameters_word(&m->parameters, "method", 0) == 1;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    const int64_t k = sc_measurement_integer(m, "k", 1);
    if (sc_measurement_integer(m, "candidates", k) < k)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "k",
                           "top-k: fewer candidates than k; choose at least as many");
    return sc_scores_check(
        m, is_exponential(m) ? &sc_exponential_choice : &sc_permute_and_flip_choice,
        (size_t)k, error);
}

/* k equal parts, fixed in advance. */
static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    const int64_t k = sc_measurement_integer(m, "k", 1);
    (void)error;
    SC_OWN(sc_ratio, factor, part);
    sc_cost_set_pure(out, epsilon);
    sc_ratio_set_int64(&factor, k);
    sc_ratio_div(&part, epsilon, &factor);
    sc_curve_set_composed(&out->curve, &part, (uint64_t)k);
    /* rho: epsilon^2 / (2 k), or / (8 k). */
    sc_ratio_mul(&out->rho, epsilon, &part);
    sc_ratio_set_int64(&factor, is_exponential(m) ? 8 : 2);
    sc_ratio_div(&out->rho, &out->rho, &factor);
    sc_cost_round_up(&out->rho, &out->rho);
    return SCRIM_OK;
}

/* Drawing. */

/* Candidates that are left: their scores and who they are. */
typedef struct field {
    int64_t *scores;
    size_t *index;
    size_t count;
} field;

/* The last takes the place of one that was chosen. */
static size_t take(field *f, size_t at)
{
    const size_t index = f->index[at];
    f->count--;
    f->scores[at] = f->scores[f->count];
    f->index[at] = f->index[f->count];
    return index;
}

static scrim_status peel(const sc_scores *s, sc_bits *bits, field *f, sc_draw *out,
                         scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t round = 0; status == SCRIM_OK && round < s->rounds; round++) {
        size_t at = 0;
        status = s->choice->choose(s, bits, f->scores, f->count, &at, error);
        out->values[round] = (sc_int128)take(f, at);
        out->marks[round] = SC_MARK_INDEX;
    }
    if (status == SCRIM_OK)
        out->count = s->rounds;
    else
        memset(out->values, 0, s->rounds * sizeof *out->values);
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const size_t count = input->count;
    field f = {.scores = sc_allocate(count, sizeof *f.scores),
               .index = sc_allocate(count, sizeof *f.index),
               .count = count};
    scrim_status status = SCRIM_OK;
    if (f.scores == NULL || f.index == NULL) {
        status = sc_no_memory(error, "a release");
    } else {
        memcpy(f.scores, input->values, count * sizeof *f.scores);
        for (size_t i = 0; i < count; i++)
            f.index[i] = i;
        status = peel(sc_scores_of(m), bits, &f, out, error);
    }
    sc_free_wiped(f.scores, count * sizeof *f.scores);
    sc_free_wiped(f.index, count * sizeof *f.index);
    return status;
}

/* The law of it. */

typedef struct listing {
    const sc_scores *state;
    const sc_private_input *input;
    long bits;
    int64_t key[SC_PAIR_VALUES];
    bool is_taken[SC_PAIR_VALUES];
    sc_outcomes *out;
} listing;

static scrim_status list_from(listing *l, size_t round, const sc_ball *so_far,
                              scrim_error *error);

/* The lists that go on with each of those left, whose probabilities are mass. */
static scrim_status list_each(listing *l, size_t round, const sc_ball *so_far,
                              const sc_ball *mass, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, product);
    for (size_t i = 0, left = 0; status == SCRIM_OK && i < l->input->count; i++) {
        if (l->is_taken[i])
            continue;
        sc_ball_mul(&product, so_far, &mass[left++], l->bits);
        l->key[round] = (int64_t)i;
        l->is_taken[i] = true;
        status = list_from(l, round + 1, &product, error);
        l->is_taken[i] = false;
    }
    return status;
}

static scrim_status list_from(listing *l, size_t round, const sc_ball *so_far,
                              scrim_error *error)
{
    const sc_scores *s = l->state;
    int64_t scores[SC_PAIR_VALUES];
    size_t left = 0;
    if (round == s->rounds)
        return sc_outcomes_add(l->out, l->key, so_far, error);
    for (size_t i = 0; i < l->input->count; i++)
        if (!l->is_taken[i])
            scores[left++] = l->input->values[i];
    sc_ball *mass = sc_balls_new(left);
    if (mass == NULL)
        return sc_no_memory(error, "a law");
    scrim_status status = s->choice->probabilities(s, scores, left, l->bits, mass, error);
    if (status == SCRIM_OK)
        status = list_each(l, round, so_far, mass, error);
    sc_balls_free(mass, left);
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    listing l = {.state = sc_scores_of(m), .input = input, .bits = bits + 64, .out = out};
    size_t lists = 1;
    if (input->count < l.state->rounds)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "k",
                           "top-k takes at least k scores");
    for (size_t i = 0; i < l.state->rounds && lists <= SC_OUTCOMES_MAX; i++)
        lists *= input->count - i;
    if (input->count > SC_PAIR_VALUES || lists > SC_OUTCOMES_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many lists to give the probability of each");
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    return list_from(&l, 0, &one, error);
}

const sc_mechanism sc_top_k = {
    .entry = {.name = "top-k",
              .parameters = SC_SCORES_TEXT_REQUIRED
              " k=N [" SC_SCORES_TEXT_OPTIONAL
              " method=permute-and-flip|exponential]" SC_SCORES_TEXT_AUDIT,
              .input = "scores",
              .claim = "epsilon-DP, pure; k parts of epsilon/k",
              .does = "Chooses k candidates with high scores, one after another. Each "
                      "choice costs a k-th of epsilon.",
              .example = "epsilon=2 sensitivity=1 k=2 neighbours=replace",
              .example_input = "310\n120\n330\n",
              .reference = "McSherry, Talwar: Mechanism Design via Differential Privacy, "
                           "2007, k times"},
    .check = check,
    .cost = cost,
    SC_SCORES_MEMBERS,
    .draw = draw,
    .law = law,
};
