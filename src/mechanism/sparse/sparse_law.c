#include "mechanism/sparse/sparse_law.h"

#include "base/memory.h"
#include "sampling/law.h"

void sc_ball_add_rest(sc_ball *sum, const sc_ball *x, long bits)
{
    SC_OWN(sc_ball, rest);
    sc_ball_set_union(&rest, &rest, x, bits);
    sc_ball_add(sum, sum, &rest, bits);
}

/* By the ratio p = exp(-1/scale) of the Laplace law; by the ratio exp(-(2k-1)/(2 variance)) of
 * the Gaussian, which itself falls by exp(-1/variance) a step. */
void sc_law_pmf_sequence(const sc_law *law, size_t count, long bits, sc_ball *out)
{
    const bool is_gaussian = law->functions == &sc_discrete_gaussian_law;
    if (!is_gaussian && law->functions != &sc_discrete_laplace_law) {
        for (size_t k = 0; k < count; k++)
            sc_law_pmf(law, (sc_int128)k, bits, &out[k]);
        return;
    }
    SC_OWN(sc_ball, ratio, step);
    SC_OWN(sc_ratio, twice);
    sc_ratio_add(&twice, &law->shape, &law->shape);
    sc_decay(&law->shape, 1, bits, &step);
    sc_decay(is_gaussian ? &twice : &law->shape, 1, bits, &ratio);
    sc_law_pmf(law, 0, bits, &out[0]);
    for (size_t k = 1; k < count; k++) {
        sc_ball_mul(&out[k], &out[k - 1], &ratio, bits);
        if (is_gaussian)
            sc_ball_mul(&ratio, &ratio, &step, bits);
    }
}

/* Added up from the far end, where the tail is known. */
bool sc_law_tail_sequence(const sc_law *law, size_t count, long bits, sc_ball *out)
{
    sc_ball *pmf = sc_balls_new(count);
    if (pmf == NULL)
        return false;
    sc_law_pmf_sequence(law, count, bits, pmf);
    sc_law_at_least(law, (sc_int128)count, bits, &out[count - 1]);
    for (size_t m = count - 1; m >= 1; m--)
        sc_ball_add(&out[m - 1], &out[m], &pmf[m], bits);
    sc_balls_free(pmf, count);
    return true;
}

/* The most terms of a sum to one side, and the most entries of a table. */
#define REACH_MAX ((int64_t)1 << 16)
#define TAIL_MAX ((uint64_t)1 << 18)

/* ceil(0.7 bits scale) + 1 or ceil(sqrt(1.4 bits variance)) + 1: 0.7 is above ln 2. */
static bool choose_reach(const sc_law *law, long bits, int64_t *out)
{
    sc_int128 low, high;
    law->functions->support(law, &low, &high);
    if (high <= REACH_MAX) {
        *out = (int64_t)high;
        return true;
    }
    const bool is_gaussian = law->functions == &sc_discrete_gaussian_law;
    uint64_t value = 0;
    SC_OWN(sc_ratio, width, tenths);
    SC_OWN(sc_integer, reach);
    sc_ratio_set_int64(&tenths, 10);
    sc_ratio_div(&width, &law->shape, &tenths);
    sc_ratio_set_int64(&tenths, (is_gaussian ? 14 : 7) * (int64_t)bits);
    sc_ratio_mul(&width, &width, &tenths);
    sc_ratio_ceil(&width, &reach);
    if (is_gaussian)
        sc_integer_sqrt(&reach, &reach);
    bool fits = sc_integer_get_uint64(&reach, &value) && value < (uint64_t)REACH_MAX - 1;
    if (fits)
        *out = (int64_t)value + 2;
    return fits;
}

scrim_status sc_crossing_init(sc_crossing *crossing, const sc_law *threshold,
                              const sc_law *query, uint64_t farthest, long bits,
                              scrim_error *error)
{
    const long more = bits + SC_SEQUENCE_GUARD;
    *crossing = (sc_crossing){.query = query, .bits = more};
    sc_ball_init(&crossing->outside);
    if (!choose_reach(threshold, bits, &crossing->reach)) {
        sc_crossing_clear(crossing);
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the distribution of noise this wide has too many terms to sum; "
                       "ask for a larger epsilon or a smaller scale");
    }
    farthest += (uint64_t)crossing->reach;
    crossing->tail_count = farthest < TAIL_MAX ? farthest + 2 : TAIL_MAX;
    crossing->threshold = sc_balls_new((size_t)crossing->reach + 1);
    crossing->tail = sc_balls_new(crossing->tail_count);
    if (crossing->threshold == NULL || crossing->tail == NULL ||
        !sc_law_tail_sequence(query, crossing->tail_count, more, crossing->tail)) {
        sc_crossing_clear(crossing);
        return sc_no_memory(error, "the law of a sparse vector");
    }
    sc_law_pmf_sequence(threshold, (size_t)crossing->reach + 1, more,
                        crossing->threshold);
    sc_law_at_least(threshold, (sc_int128)crossing->reach + 1, more, &crossing->outside);
    return SCRIM_OK;
}

void sc_crossing_clear(sc_crossing *crossing)
{
    sc_balls_free(crossing->threshold, (size_t)crossing->reach + 1);
    sc_balls_free(crossing->tail, crossing->tail_count);
    sc_ball_clear(&crossing->outside);
}

/* P(noise >= m), m >= 1. */
static void tail_at(const sc_crossing *crossing, sc_int128 m, sc_ball *out)
{
    if (m <= (sc_int128)crossing->tail_count)
        sc_ball_set(out, &crossing->tail[(size_t)m - 1]);
    else
        sc_law_at_least(crossing->query, m, crossing->bits, out);
}

static void complement(sc_ball *x, long bits)
{
    sc_ball_neg(x, x);
    sc_ball_add_int64(x, x, 1, bits);
}

void sc_crossing_above(const sc_crossing *crossing, sc_int128 k, sc_ball *out)
{
    tail_at(crossing, k >= 1 ? k : 1 - k, out);
    if (k < 1)
        complement(out, crossing->bits);
}

void sc_crossing_below(const sc_crossing *crossing, sc_int128 k, sc_ball *out)
{
    sc_crossing_above(crossing, 1 - k, out);
}

/* Products that one law may take: some seconds. */
#define WORK_MAX ((uint64_t)1 << 26)
/* Values of one numeric answer. */
#define VALUES_MAX 4096

/* A walk through all patterns, in the order of the queries. */
typedef struct walk {
    const sc_sparse_plan *plan;
    const sc_sparse_range *range;
    const sc_private_input *input;
    long bits;
    sc_crossing crossing;
    size_t terms;   /* 2 Z + 1 */
    sc_ball *start; /* P(threshold noise), term by term */
    sc_ball *above[SC_SPARSE_LAW_QUERIES], *below[SC_SPARSE_LAW_QUERIES];
    sc_ball *value[SC_SPARSE_LAW_QUERIES];       /* P(value), from lower to upper */
    sc_ball *partial[SC_SPARSE_LAW_QUERIES + 1]; /* products, one array for each depth */
    uint64_t work;
    sc_outcomes *out;
    scrim_error *error;
} walk;

/* Where it is. */
typedef struct node {
    size_t depth;
    uint64_t pattern;
    sc_sparse_progress progress;
    const sc_ball
        *terms;     /* for each threshold: its probability, and that of the answers */
    sc_ball before; /* the probability of all answers under earlier thresholds */
    sc_ball left, right; /* at least what the thresholds beyond -Z and Z would add */
} node;

size_t sc_sparse_width(const sc_sparse_plan *plan, size_t count)
{
    if (!plan->is_numeric)
        return 2;
    return 2 + (plan->count < count ? (size_t)plan->count : count);
}

/* Tables. */

/* Numbers whose distance to the level matters: how far the farthest query is. */
static uint64_t farthest_query(const sc_sparse_plan *plan, const sc_private_input *input)
{
    uint64_t farthest = 0;
    for (size_t i = 0; i < input->count; i++) {
        sc_int128 distance = (sc_int128)input->values[i] - plan->level;
        uint64_t size = (uint64_t)(distance < 0 ? -distance : distance);
        farthest = size > farthest ? size : farthest;
    }
    return farthest;
}

static void fill_rows(walk *w, size_t query)
{
    sc_int128 first = (sc_int128)w->plan->level - w->crossing.reach;
    for (size_t i = 0; i < w->terms; i++) {
        sc_int128 k = first + (sc_int128)i - w->input->values[query];
        sc_crossing_above(&w->crossing, k, &w->above[query][i]);
        sc_crossing_below(&w->crossing, k, &w->below[query][i]);
        /* to the precision of the walk: short numbers lie in their balls, and are fast */
        sc_ball_add_int64(&w->above[query][i], &w->above[query][i], 0, w->bits);
        sc_ball_add_int64(&w->below[query][i], &w->below[query][i], 0, w->bits);
    }
}

static size_t value_count(const walk *w)
{
    return (size_t)(w->range->upper - w->range->lower) + 1;
}

/* The law of query + noise, brought into the range. */
static void fill_values(walk *w, size_t query)
{
    const sc_law *law = &w->plan->value.law;
    const size_t last = value_count(w) - 1;
    const sc_int128 first = (sc_int128)w->range->lower - w->input->values[query];
    for (size_t i = 0; i <= last; i++) {
        sc_ball *out = &w->value[query][i];
        sc_int128 k = first + (sc_int128)i;
        if (last == 0)
            sc_ball_set_int64(out, 1);
        else if (i == 0)
            sc_law_at_most(law, k, w->bits, out);
        else if (i == last)
            sc_law_at_least(law, k, w->bits, out);
        else
            sc_law_pmf(law, k, w->bits, out);
    }
}

/* The first query of the same value, whose rows serve both. */
static size_t same_query(const sc_private_input *input, size_t query)
{
    size_t first = 0;
    while (input->values[first] != input->values[query])
        first++;
    return first;
}

static scrim_status walk_tables(walk *w)
{
    bool have = (w->start = sc_balls_new(w->terms)) != NULL;
    for (size_t i = 0; have && i < w->terms; i++) {
        size_t z = i < w->terms / 2 ? w->terms / 2 - i : i - w->terms / 2;
        sc_ball_add_int64(&w->start[i], &w->crossing.threshold[z], 0, w->bits);
    }
    for (size_t d = 0; have && d < w->input->count; d++) {
        size_t same = same_query(w->input, d);
        have = (w->partial[d] = sc_balls_new(w->terms)) != NULL;
        if (same != d) {
            w->above[d] = w->above[same];
            w->below[d] = w->below[same];
            w->value[d] = w->value[same];
            continue;
        }
        have = have && (w->above[d] = sc_balls_new(w->terms)) != NULL &&
               (w->below[d] = sc_balls_new(w->terms)) != NULL;
        if (have)
            fill_rows(w, d);
        if (have && w->plan->is_numeric)
            have = (w->value[d] = sc_balls_new(value_count(w))) != NULL;
        if (have && w->plan->is_numeric)
            fill_values(w, d);
    }
    return have ? SCRIM_OK : sc_no_memory(w->error, "the law of a sparse vector");
}

static void walk_clear(walk *w)
{
    for (size_t d = 0; d < w->input->count; d++) {
        sc_balls_free(w->partial[d], w->terms);
        if (same_query(w->input, d) != d)
            continue;
        sc_balls_free(w->above[d], w->terms);
        sc_balls_free(w->below[d], w->terms);
        if (w->value[d] != NULL)
            sc_balls_free(w->value[d], value_count(w));
    }
    sc_balls_free(w->start, w->terms);
    sc_crossing_clear(&w->crossing);
}

/* Outcomes. */

/* Adds the outcomes of a pattern: one, or one for each list of values. place is the next
 * answer above, from query on. */
static scrim_status emit(walk *w, const node *n, size_t query, size_t place, int64_t *key,
                         const sc_ball *mass)
{
    while (query < n->depth && (n->pattern >> query & 1) == 0)
        query++;
    if (!w->plan->is_numeric || query == n->depth)
        return sc_outcomes_add(w->out, key, mass, w->error);
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, part);
    for (size_t i = 0; status == SCRIM_OK && i < value_count(w); i++) {
        key[2 + place] = w->range->lower + (int64_t)i;
        sc_ball_mul(&part, mass, &w->value[query][i], w->bits);
        status = emit(w, n, query + 1, place + 1, key, &part);
    }
    key[2 + place] = 0;
    return status;
}

static scrim_status leaf(walk *w, const node *n)
{
    int64_t key[2 + SC_SPARSE_LAW_VALUES] = {(int64_t)n->depth, (int64_t)n->pattern};
    return emit(w, n, 0, 0, key, &n->before);
}

/* Nodes. */

/* Ends a threshold: before takes the sum over its values. */
static void close_threshold(const walk *w, node *n)
{
    SC_OWN(sc_ball, sum);
    for (size_t i = 0; i < w->terms; i++)
        sc_ball_add(&sum, &sum, &n->terms[i], w->bits);
    sc_ball_add_rest(&sum, &n->left, w->bits);
    sc_ball_add_rest(&sum, &n->right, w->bits);
    sc_ball_mul(&n->before, &n->before, &sum, w->bits);
}

static void open_threshold(const walk *w, node *n)
{
    n->terms = w->start;
    sc_ball_set(&n->left, &w->crossing.outside);
    sc_ball_set(&n->right, &w->crossing.outside);
}

/* The node after one more answer. The products are at most those at -Z and Z for thresholds
 * beyond: being below does not become likelier as the threshold falls, nor being above as it
 * rises. */
static void child_terms(walk *w, const node *from, bool is_above, node *to)
{
    const size_t query = from->depth;
    const sc_ball *row = is_above ? w->above[query] : w->below[query];
    for (size_t i = 0; i < w->terms; i++)
        sc_ball_mul(&w->partial[query][i], &from->terms[i], &row[i], w->bits);
    to->terms = w->partial[query];
    if (is_above)
        sc_ball_mul(&to->right, &from->right, &row[w->terms - 1], w->bits);
    else
        sc_ball_mul(&to->left, &from->left, &row[0], w->bits);
}

static void node_init(node *n)
{
    *n = (node){.depth = 0};
    sc_ball_init(&n->before);
    sc_ball_init(&n->left);
    sc_ball_init(&n->right);
}

static void node_clear(node *n)
{
    sc_ball_clear(&n->before);
    sc_ball_clear(&n->left);
    sc_ball_clear(&n->right);
}

static scrim_status visit(walk *w, const node *from);

static scrim_status visit_child(walk *w, const node *from, bool is_above)
{
    node to;
    node_init(&to);
    to.depth = from->depth + 1;
    to.pattern = from->pattern | (uint64_t)is_above << from->depth;
    to.progress = from->progress;
    sc_ball_set(&to.before, &from->before);
    sc_ball_set(&to.left, &from->left);
    sc_ball_set(&to.right, &from->right);
    child_terms(w, from, is_above, &to);
    sc_sparse_next next = sc_sparse_advance(w->plan, &to.progress, is_above);
    bool is_leaf = next == SC_SPARSE_HALTS || to.depth == w->input->count;
    if (is_leaf || next == SC_SPARSE_REDRAWS)
        close_threshold(w, &to);
    if (next == SC_SPARSE_REDRAWS)
        open_threshold(w, &to);
    scrim_status status = is_leaf ? leaf(w, &to) : visit(w, &to);
    node_clear(&to);
    return status;
}

static scrim_status visit(walk *w, const node *from)
{
    w->work += 2 * w->terms;
    if (w->work > WORK_MAX)
        return sc_fail(w->error, SCRIM_E_LIMIT,
                       "the distribution of this run has too many patterns to sum; ask "
                       "for fewer queries, or a smaller count");
    scrim_status status = visit_child(w, from, false);
    return status == SCRIM_OK ? visit_child(w, from, true) : status;
}

static scrim_status check_size(const sc_sparse_plan *plan, const sc_sparse_range *range,
                               const sc_private_input *input, scrim_error *error)
{
    if (plan->is_numeric && range->upper - range->lower >= VALUES_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "sensitivity: the distribution of a numeric run with so many "
                       "values is not computed; choose a smaller one");
    if (input->count > SC_SPARSE_LAW_QUERIES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "queries: the distribution of a run is computed for at most %d",
                       SC_SPARSE_LAW_QUERIES);
    if (sc_sparse_width(plan, input->count) > 2 + SC_SPARSE_LAW_VALUES)
        return sc_fail(
            error, SCRIM_E_LIMIT,
            "count: the distribution of a numeric run is computed for at most %d",
            SC_SPARSE_LAW_VALUES);
    return SCRIM_OK;
}

static scrim_status walk_all(walk *w)
{
    node root;
    node_init(&root);
    sc_ball_set_int64(&root.before, 1);
    open_threshold(w, &root);
    scrim_status status = w->input->count == 0 ? leaf(w, &root) : visit(w, &root);
    node_clear(&root);
    return status;
}

scrim_status sc_sparse_law(const sc_sparse_plan *plan, const sc_sparse_range *range,
                           const sc_private_input *input, long bits, sc_outcomes *out,
                           scrim_error *error)
{
    walk w = {.plan = plan,
              .range = range,
              .input = input,
              .bits = bits,
              .out = out,
              .error = error};
    scrim_status status = check_size(plan, range, input, error);
    if (status != SCRIM_OK)
        return status;
    SC_BALL_SCOPE(scope);
    status = sc_crossing_init(&w.crossing, &plan->threshold.law, &plan->query.law,
                              farthest_query(plan, input), bits, error);
    if (status == SCRIM_OK) {
        w.terms = 2 * (size_t)w.crossing.reach + 1;
        status = walk_tables(&w);
        if (status == SCRIM_OK)
            status = walk_all(&w);
        walk_clear(&w);
    }
    if (status == SCRIM_OK)
        status = sc_outcomes_sort(out, bits, error);
    return status;
}
