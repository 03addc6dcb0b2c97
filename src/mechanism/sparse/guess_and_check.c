#include "mechanism/sparse/guess_and_check.h"

#include "base/memory.h"
#include "mechanism/sparse/sparse_measurement.h"
#include "mechanism/sparse/sparse_vector.h"
#include "model/domain.h"

#define FAR ((sc_int128)1 << SC_GRID_BITS)

static const sc_parameter_rule parameters[] = {
    SC_SPARSE_EPSILON,
    SC_SPARSE_SENSITIVITY,
    SC_SPARSE_THRESHOLD,
    SC_SPARSE_COUNT(false),
    {.name = "guesses",
     .kind = SC_PARAMETER_RATIONALS,
     .limit_low = "-2^61",
     .limit_high = "2^61",
     .domain = "integers from -2.3e18 to 2.3e18, separated by commas"},
    SC_PARAMETER_NEIGHBOURS,
    SC_SPARSE_QUERIES,
};

/* The guesses of a measurement, once it was checked. */
typedef struct guesses {
    int64_t list[SC_PARAMETER_ITEMS];
    size_t count;
} guesses;

static bool read_guesses(const scrim_measurement *m, guesses *out)
{
    const sc_ratio *items = sc_parameters_items(&m->parameters, "guesses", &out->count);
    bool is_whole = items != NULL;
    SC_OWN(sc_integer, whole);
    for (size_t i = 0; is_whole && i < out->count; i++) {
        sc_int128 wide = 0;
        sc_ratio_numerator(&items[i], &whole);
        is_whole = sc_ratio_is_integer(&items[i]) && sc_integer_get_int128(&whole, &wide);
        out->list[i] = (int64_t)wide;
    }
    return is_whole;
}

static int64_t guess_at(const guesses *g, size_t index)
{
    return g->list[index % g->count];
}

/* |q - g|, at most 2^62. */
static int64_t distance(int64_t query, int64_t guess)
{
    const sc_int128 apart = (sc_int128)query - guess;
    const sc_int128 size = apart < 0 ? -apart : apart;
    return (int64_t)(size < FAR ? size : FAR);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_sparse_state *s = NULL;
    guesses g;
    if (!read_guesses(m, &g))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "guesses",
                                 "must be integers, separated by commas");
    SC_TRY(sc_sparse_state_new(m, &s, error));
    m->domain.is_whole = true;
    s->plan.is_numeric = true;
    SC_TRY(sc_sparse_vector_one_threshold(m, s, error));
    sc_sparse_set_family(m, s);
    return SCRIM_OK;
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_pure(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

/* The distances of all queries from their guesses, into room for as many. */
static void set_distances(const scrim_measurement *m, const sc_private_input *input,
                          int64_t *out)
{
    guesses g;
    (void)read_guesses(m, &g);
    for (size_t i = 0; i < input->count; i++)
        out[i] = distance(input->values[i], guess_at(&g, i));
}

/* A value is the distance and noise; the noise alone belongs to the query itself. */
static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    int64_t *far = sc_allocate(input->count + 1, sizeof *far);
    if (far == NULL)
        return sc_no_memory(error, "a release");
    set_distances(m, input, far);
    const sc_private_input distances = {.values = far, .count = input->count};
    const scrim_status status =
        sc_sparse_draw(&sc_sparse_state_of(m)->plan, bits, &distances, out, error);
    for (size_t i = 0; status == SCRIM_OK && i < out->count; i++)
        if (out->marks[i] == SC_MARK_ABOVE_VALUE)
            out->values[i] += (sc_int128)input->values[i] - far[i];
    sc_free_wiped(far, input->count * sizeof *far);
    return status;
}

/* Query by query, with the guesses in their order. */

typedef struct guess_run {
    sc_sparse_run sparse;
    uint64_t asked;
} guess_run;

static scrim_status open_run(const scrim_measurement *m, sc_bits *bits, void *run,
                             scrim_error *error)
{
    guess_run *r = run;
    r->asked = 0;
    return sc_sparse_open(&sc_sparse_state_of(m)->plan, bits, &r->sparse, error);
}

static scrim_status ask(const scrim_measurement *m, sc_bits *bits, void *run,
                        int64_t query, sc_run_piece *out, scrim_error *error)
{
    guess_run *r = run;
    guesses g;
    (void)read_guesses(m, &g);
    const int64_t far = distance(query, guess_at(&g, (size_t)(r->asked % g.count)));
    SC_TRY(
        sc_sparse_ask(&sc_sparse_state_of(m)->plan, bits, &r->sparse, far, out, error));
    if (out->mark == SC_MARK_ABOVE_VALUE)
        out->value += (sc_int128)query - far;
    r->asked++;
    return SCRIM_OK;
}

/* The audit. */

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_sparse_state *s = sc_sparse_state_of(m);
    int64_t far[SC_PAIR_VALUES];
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %d values", SC_PAIR_VALUES);
    set_distances(m, input, far);
    return sc_sparse_law(&s->plan, &s->range,
                         &(sc_private_input){.values = far, .count = input->count}, bits,
                         out, error);
}

/* The pairs of the sparse vector: values lie as far above their guesses as its queries lie above 0. */
static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    guesses g;
    (void)read_guesses(m, &g);
    sc_sparse_pair_at(m, index, out);
    for (size_t i = 0; i < out->x_count; i++) {
        out->x[i] = guess_at(&g, i) + (out->x[i] > 0 ? out->x[i] : 0);
        out->y[i] = guess_at(&g, i) + (out->y[i] > 0 ? out->y[i] : 0);
    }
}

const sc_mechanism sc_guess_and_check = {
    .entry = {.name = "guess-and-check",
              .parameters = "epsilon=R sensitivity=R threshold=N count=N "
                            "guesses=N,..." SC_SPARSE_TEXT_AUDIT,
              .input = "queries",
              .claim = "epsilon-DP, pure, any number of queries; halts at the count-th "
                       "wrong guess",
              .does = "Compares public guesses with the true answers; a good guess "
                      "serves as the answer and is free. Only wrong guesses cost, and "
                      "are answered with noise.",
              .example = "epsilon=1 sensitivity=1 threshold=200 count=1 guesses=1000,50 "
                         "neighbours=replace",
              .example_input = "1040\n2000\n",
              .reference = "Roth, Roughgarden: Interactive Privacy via the Median "
                           "Mechanism, 2010; Lyu, Su, Li 2017"},
    SC_MECHANISM_PARAMETERS,
    .audit_count = 1,
    .check = check,
    .discard = sc_sparse_discard,
    .cost = cost,
    .certify = sc_sparse_certify,
    .answer_count = sc_sparse_answer_count,
    .draw = draw,
    .width = sc_sparse_key_width,
    .law = law,
    .pair_count = sc_sparse_pairs,
    .pair = pair,
    .change = sc_sparse_change,
    .run_bytes = sizeof(guess_run),
    .open = open_run,
    .ask = ask,
};
