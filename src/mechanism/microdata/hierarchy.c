#include "mechanism/microdata/hierarchy.h"

#include "base/memory.h"
#include "mechanism/microdata/cell_counts.h"
#include "mechanism/microdata/projection.h"
#include "mechanism/microdata/table_tail.h"
#include "model/at_once.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "sampling/bounded_laplace.h"

#define LEVELS_MAX 28 /* fan-outs are 2 at least, and leaves 2^27 at most */

static const sc_parameter_rule parameters[] = {
    {.name = "fan-outs",
     .kind = SC_PARAMETER_RATIONALS,
     .at_least = "2",
     .limit_high = "2^27",
     .domain = "how many children a node of each level has, integers from 2 on"},
    {.name = "shares",
     .kind = SC_PARAMETER_RATIONALS,
     .optional = true,
     .above = "0",
     .below = "1",
     .domain = "rationals above 0 whose sum is 1, one for each level"},
    SC_LINEAR_PARAMETERS,
    SC_CELL_PARAMETERS,
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct level {
    size_t nodes, first; /* how many, and the place of the first one */
    uint64_t fan_out;    /* of its nodes; 0 for leaves */
    sc_ratio share;
    sc_law law;
    sc_blocks blocks;
    bool is_ready;
} level;

typedef struct state {
    size_t levels, nodes;
    level level[LEVELS_MAX];
} state;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

const sc_law *sc_hierarchy_noise(const scrim_measurement *m, size_t at)
{
    return at < state_of(m)->levels ? &state_of(m)->level[at].law : NULL;
}

static size_t leaves_of(const state *s)
{
    return s->level[s->levels - 1].nodes;
}

static bool is_clamped(const scrim_measurement *m)
{
    return sc_measurement_get(m, "delta") != NULL;
}

/* Making one. */

static scrim_status set_tree(const scrim_measurement *m, state *s, scrim_error *error)
{
    size_t count = 0;
    const sc_ratio *items = sc_parameters_items(&m->parameters, "fan-outs", &count);
    SC_OWN(sc_integer, whole);
    s->level[0].nodes = s->nodes = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t fan_out = 0;
        sc_ratio_numerator(&items[i], &whole);
        if (!sc_ratio_is_integer(&items[i]) || !sc_integer_get_uint64(&whole, &fan_out))
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "fan-outs",
                                     "must be whole numbers");
        if (i + 1 >= LEVELS_MAX || fan_out > SC_PROJECTION_CELLS / s->level[i].nodes)
            return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "fan-outs",
                                     "make more than 134217728 leaves");
        s->level[i].fan_out = fan_out;
        s->level[i + 1].first = s->nodes;
        s->level[i + 1].nodes = s->level[i].nodes * (size_t)fan_out;
        s->nodes += s->level[i + 1].nodes;
    }
    s->levels = count + 1;
    return SCRIM_OK;
}

static scrim_status set_shares(const scrim_measurement *m, state *s, scrim_error *error)
{
    size_t count = 0;
    const sc_ratio *items = sc_parameters_items(&m->parameters, "shares", &count);
    SC_OWN(sc_ratio, sum);
    for (size_t i = 0; i < s->levels && (items == NULL || i < count); i++) {
        if (items == NULL)
            sc_ratio_set_quotient(&s->level[i].share, 1, (int64_t)s->levels);
        else
            sc_ratio_set(&s->level[i].share, &items[i]);
        sc_ratio_add(&sum, &sum, &s->level[i].share);
    }
    if ((items != NULL && count != s->levels) || sc_ratio_compare_int64(&sum, 1) != 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "shares",
                                 "must be %zu numbers, one for each level from the root "
                                 "down, whose sum is 1",
                                 s->levels);
    return SCRIM_OK;
}

/* F. */
static void set_factor(const scrim_measurement *m, const state *s, sc_ratio *out)
{
    SC_OWN(sc_ratio, two);
    sc_ratio_set_int64(out, 1);
    if (!sc_cell_is_replace(m))
        return;
    sc_ratio_set_int64(&two, 2);
    sc_ratio_sub(&two, &two, &s->level[0].share);
    sc_ratio_sub(&two, &two, &s->level[0].share);
    if (sc_ratio_compare(&two, out) > 0)
        sc_ratio_set(out, &two);
}

/* F R/(s epsilon), or F R^2/(2 s rho). */
static void set_shape(const scrim_measurement *m, const state *s, const level *l,
                      sc_ratio *out)
{
    const sc_ratio *rho = sc_measurement_get(m, "rho");
    SC_OWN(sc_ratio, factor, reach);
    set_factor(m, s, &factor);
    sc_ratio_set_int64(&reach, sc_cell_reach(m));
    sc_ratio_mul(out, &factor, &reach);
    if (rho != NULL) {
        sc_ratio_mul(out, out, &reach);
        sc_ratio_div(out, out, rho);
        sc_ratio_set_int64(&factor, 2);
        sc_ratio_div(out, out, &factor);
    } else {
        sc_ratio_div(out, out, sc_measurement_get(m, "epsilon"));
    }
    sc_ratio_div(out, out, &l->share);
}

/* Two nodes move under replace, but for the root. */
static bool find_bound(const scrim_measurement *m, const level *l, const sc_ratio *scale,
                       int64_t *out)
{
    const sc_truncation_rule rule = {
        .rows = (uint64_t)sc_measurement_integer(m, "max-rows", 1),
        .weight = (uint64_t)sc_measurement_integer(m, "weight", 1),
        .is_replace = sc_cell_is_replace(m) && l->first > 0};
    SC_OWN(sc_ratio, rate, delta);
    sc_ratio_set_int64(&rate, 1);
    sc_ratio_div(&rate, &rate, scale);
    sc_ratio_mul(&delta, &l->share, sc_measurement_get(m, "delta"));
    return sc_truncation_bound(&rule, &rate, &delta, out);
}

static scrim_status set_noise(const scrim_measurement *m, const state *s, level *l,
                              scrim_error *error)
{
    const bool is_gaussian = sc_measurement_get(m, "rho") != NULL;
    const sc_law_functions *functions = is_gaussian     ? &sc_discrete_gaussian_law
                                        : is_clamped(m) ? &sc_clamped_laplace_law
                                                        : &sc_discrete_laplace_law;
    int64_t bound = 0;
    SC_OWN(sc_ratio, shape);
    set_shape(m, s, l, &shape);
    scrim_status status = sc_cell_width_check(m, &shape, is_gaussian, error);
    if (status == SCRIM_OK && !sc_additive_fits(&shape, 120))
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "hierarchy: the noise is narrower than 7.6e-37; choose a lower "
                         "cost");
    if (status == SCRIM_OK && is_clamped(m) && !find_bound(m, l, &shape, &bound))
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "hierarchy: with a delta the noise must be narrower than "
                         "1.1e12, and max-rows times weight at most %llu",
                         (unsigned long long)SC_TRUNCATION_REACH);
    if (status != SCRIM_OK)
        return status;
    sc_law_clear(&l->law);
    sc_law_init(&l->law, functions, &shape, bound);
    status = sc_blocks_init_shape(
        &l->blocks, &(sc_blocks_law){.sides = SC_SIDES_BOTH, .is_square = is_gaussian},
        &shape, error);
    l->is_ready = status == SCRIM_OK;
    return status;
}

static scrim_status check_cost(const scrim_measurement *m, scrim_error *error)
{
    static const char *const either[] = {"epsilon", "rho", NULL};
    if (is_clamped(m) && sc_measurement_get(m, "epsilon") == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "delta",
                           "hierarchy: delta needs epsilon");
    return sc_measurement_one_of(m, either, error);
}

static state *new_state(void)
{
    SC_OWN(sc_ratio, one);
    state *s = sc_allocate(1, sizeof *s);
    sc_ratio_set_int64(&one, 1);
    for (size_t i = 0; s != NULL && i < LEVELS_MAX; i++) {
        sc_ratio_init(&s->level[i].share);
        sc_law_init(&s->level[i].law, &sc_discrete_laplace_law, &one, 0);
    }
    return s;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    scrim_status status = check_cost(m, error);
    if (status != SCRIM_OK)
        return status;
    state *s = new_state();
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    status = set_tree(m, s, error);
    if (status == SCRIM_OK)
        status = set_shares(m, s, error);
    for (size_t i = 0; status == SCRIM_OK && i < s->levels; i++)
        status = set_noise(m, s, &s->level[i], error);
    if (status == SCRIM_OK)
        status = sc_cell_domain(m, error);
    if (status == SCRIM_OK)
        m->domain.count_min = m->domain.count_max = leaves_of(s);
    return status;
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    for (size_t i = 0; i < LEVELS_MAX; i++) {
        if (s->level[i].is_ready)
            sc_blocks_clear(&s->level[i].blocks);
        sc_law_clear(&s->level[i].law);
        sc_ratio_clear(&s->level[i].share);
    }
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon"),
                   *rho = sc_measurement_get(m, "rho");
    (void)error;
    if (is_clamped(m)) {
        sc_cost_set_approximate(out, epsilon, sc_measurement_get(m, "delta"));
    } else if (rho == NULL) {
        sc_cost_set_pure(out, epsilon);
    } else {
        out->has_rho = true;
        sc_cost_round_up(rho, &out->rho);
        sc_curve_set_concentrated(&out->curve, rho);
    }
    return SCRIM_OK;
}

/* Accuracy. */

/* The radius that `nodes` nodes of a level are within at once, with its part of beta; or the bound of its noise. */
static scrim_status level_radius(const scrim_measurement *m, const level *l,
                                 const sc_ratio *part, uint64_t nodes, sc_int128 *out,
                                 scrim_error *error)
{
    SC_OWN(sc_ratio, each);
    if (is_clamped(m)) {
        *out = l->law.bound;
        return SCRIM_OK;
    }
    sc_at_once_each(part, nodes, &each);
    return sc_law_radius(&l->law, &each, out, error);
}

/* |z_root| and twice the largest noise among siblings, or among all nodes, level by level. */
static scrim_status leaf_radius(const scrim_measurement *m, const sc_ratio *beta,
                                bool is_all, sc_int128 *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_int128 sum = 0, radius = 0;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, part);
    sc_ratio_set_int64(&part, (int64_t)s->levels);
    sc_ratio_div(&part, beta, &part);
    for (size_t i = 0; status == SCRIM_OK && i < s->levels; i++) {
        const uint64_t siblings = i == 0 ? 1 : s->level[i - 1].fan_out;
        status = level_radius(m, &s->level[i], &part,
                              is_all ? s->level[i].nodes : siblings, &radius, error);
        sum += i == 0 ? radius : 2 * radius;
    }
    *out = sum;
    return status;
}

/* The tails of a leaf, level by level (table_tail.h); each is the beta of one of all leaves. */
static scrim_status leaf_tail(const state *s, const sc_ratio *each, sc_table_tail **out,
                              scrim_error *error)
{
    sc_int128 width = 0, most = 0;
    for (size_t i = 0; i < s->levels; i++) {
        const uint64_t siblings = i == 0 ? 1 : s->level[i - 1].fan_out;
        SC_TRY(sc_table_tail_width(&s->level[i].law, siblings, each, &width, error));
        most = width > most ? width : most;
    }
    sc_table_tail *tail = sc_table_tail_new(&s->level[0].law, most);
    bool is_done = tail != NULL;
    for (size_t i = 1; is_done && i < s->levels; i++)
        is_done = sc_table_tail_descend(tail, &s->level[i].law, s->level[i - 1].fan_out);
    if (is_done) {
        *out = tail;
        return SCRIM_OK;
    }
    sc_table_tail_free(tail);
    return sc_no_memory(error, "a tree");
}

/* Lowers the radii of a leaf and of all of them where their tails say less. */
static scrim_status lower_radii(const state *s, const sc_ratio *beta, sc_int128 *one,
                                sc_int128 *all, scrim_error *error)
{
    sc_table_tail *tail = NULL;
    SC_OWN(sc_ratio, each, leaves);
    sc_ratio_set_int64(&leaves, (int64_t)leaves_of(s));
    sc_ratio_div(&each, beta, &leaves);
    const scrim_status status = leaf_tail(s, &each, &tail, error);
    if (status == SCRIM_OK) {
        sc_table_tail_lower(tail, beta, one);
        sc_table_tail_lower(tail, &each, all);
    }
    sc_table_tail_free(tail);
    return status;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    SC_OWN(sc_ratio, radius, never);
    sc_int128 one = 0, all = 0;
    (void)count;
    SC_TRY(leaf_radius(m, beta, false, &one, error));
    if (!is_clamped(m)) {
        SC_TRY(leaf_radius(m, beta, true, &all, error));
        SC_TRY(lower_radii(state_of(m), beta, &one, &all, error));
    }
    sc_ratio_set_int128(&radius, one);
    sc_certificate_interval(out, &radius, is_clamped(m) ? &never : beta,
                            "values that are not whole numbers");
    sc_ratio_set_int128(&radius, all);
    if (!is_clamped(m))
        sc_certificate_add_radius_all(out, &radius);
    return SCRIM_OK;
}

/* Drawing. */

/* The noise of all nodes, the root's first. */
static scrim_status draw_noise(const scrim_measurement *m, sc_bits *bits, int64_t *nodes,
                               sc_hash_key *key, scrim_error *error)
{
    const state *s = state_of(m);
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < s->levels; i++) {
        const level *l = &s->level[i];
        int64_t *at = nodes + l->first;
        status = sc_blocks_fill(bits, &l->blocks, l->nodes, at, error);
        for (size_t k = 0; status == SCRIM_OK && is_clamped(m) && k < l->nodes; k++)
            at[k] = (int64_t)sc_clamp(at[k], l->law.bound);
    }
    if (status == SCRIM_OK)
        status = sc_bits_word(bits, &key->k0, error);
    return status == SCRIM_OK ? sc_bits_word(bits, &key->k1, error) : status;
}

/* The true count of each node, leaves last, added to what is there. sums has room for a level. */
static void add_counts(const state *s, const sc_private_input *input, sc_int128 *sums,
                       int64_t *nodes)
{
    size_t count = input->count;
    for (size_t i = 0; i < count; i++)
        sums[i] = input->values[i];
    for (size_t at = s->levels; at-- > 0;) {
        const level *l = &s->level[at];
        const size_t group = l->fan_out == 0 ? 1 : (size_t)l->fan_out;
        for (size_t k = 0; k < l->nodes; k++) {
            sc_int128 sum = 0;
            for (size_t j = 0; j < group; j++)
                sum += sums[k * group + j];
            sums[k] = sum;
            nodes[l->first + k] = sc_projection_clamp(sum + nodes[l->first + k]);
        }
    }
}

static void set_children(const state *s, uint32_t *child)
{
    size_t at = 0, next = 1;
    for (size_t i = 0; i + 1 < s->levels; i++)
        for (size_t k = 0; k < s->level[i].nodes; k++) {
            child[at++] = (uint32_t)next;
            next += (size_t)s->level[i].fan_out;
        }
    child[at] = (uint32_t)next;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const state *s = state_of(m);
    const size_t inner = s->nodes - leaves_of(s);
    int64_t *nodes = sc_allocate(s->nodes, sizeof *nodes);
    uint32_t *child = sc_allocate(inner + 1, sizeof *child);
    sc_hash_key key = {0, 0};
    scrim_status status = SCRIM_OK;
    out->count = 0;
    if (nodes == NULL || child == NULL)
        status = sc_no_memory(error, "a tree");
    if (status == SCRIM_OK)
        status = draw_noise(m, bits, nodes, &key, error);
    if (status == SCRIM_OK) {
        add_counts(s, input, out->values, nodes);
        set_children(s, child);
        sc_top_down(&(sc_tree_shape){.child = child, .inner = inner}, &key, nodes);
        out->count = input->count;
    }
    for (size_t i = 0; i < out->count; i++) {
        out->values[i] = nodes[inner + i];
        out->marks[i] = SC_MARK_VALUE;
    }
    sc_free(child);
    sc_free_wiped(nodes, s->nodes * sizeof *nodes);
    return status;
}

/* The audit: the distribution of the noisy nodes, which the tree is made of. */

static sc_cell_listing listing_of(const scrim_measurement *m, size_t at)
{
    return (sc_cell_listing){.law = sc_hierarchy_noise(m, at), .high = sc_cell_reach(m)};
}

static size_t width(const scrim_measurement *m, size_t count)
{
    (void)count;
    return state_of(m)->nodes;
}

static scrim_status list_nodes(const scrim_measurement *m, const int64_t *nodes,
                               long bits, sc_outcomes *parts, scrim_error *error)
{
    const state *s = state_of(m);
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < s->levels; i++) {
        const sc_cell_listing listing = listing_of(m, i);
        for (size_t k = 0; status == SCRIM_OK && k < s->level[i].nodes; k++) {
            const size_t at = s->level[i].first + k;
            status = sc_cell_list(&listing, nodes[at], bits, &parts[at], error);
        }
    }
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const state *s = state_of(m);
    int64_t nodes[SC_PAIR_VALUES] = {0};
    sc_int128 sums[SC_PAIR_VALUES];
    sc_outcomes parts[SC_PAIR_VALUES];
    if (s->nodes > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %d values", SC_PAIR_VALUES);
    add_counts(s, input, sums, nodes);
    for (size_t i = 0; i < s->nodes; i++)
        sc_outcomes_init(&parts[i], 1);
    scrim_status status = list_nodes(m, nodes, bits + 64, parts, error);
    if (status == SCRIM_OK)
        status = sc_outcomes_product(parts, s->nodes, NULL, bits + 64, out, error);
    for (size_t i = 0; i < s->nodes; i++)
        sc_outcomes_clear(&parts[i]);
    return status;
}

/* A unit in the first leaf; with rows in the first and in the last one; under replace it leaves the last one for
 * the first, too. */
static bool is_listed(const scrim_measurement *m)
{
    const state *s = state_of(m);
    size_t product = 1;
    for (size_t i = 0; i < s->levels && product <= SC_CELL_OUTCOMES; i++) {
        const sc_cell_listing listing = listing_of(m, i);
        const size_t power =
            sc_size_power(sc_cell_list_length(&listing), s->level[i].nodes);
        if (!sc_size_mul(product, power, &product))
            product = SIZE_MAX;
    }
    return s->nodes <= SC_PAIR_VALUES && product <= SC_CELL_OUTCOMES;
}

static size_t pair_count(const scrim_measurement *m)
{
    if (!is_listed(m))
        return 0;
    return sc_cell_is_replace(m) ? 3 : 2;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const size_t last = leaves_of(state_of(m)) - 1;
    const int64_t reach = sc_cell_reach(m), part = index == 1 ? reach / 2 : 0;
    *out = (sc_pair){.x_count = last + 1, .y_count = last + 1};
    out->y[0] = reach - part;
    out->y[last] = part;
    if (index == 2)
        out->x[last] = reach;
}

const sc_mechanism sc_hierarchy = {
    .entry = {.name = "hierarchy",
              .parameters = "fan-outs=N,... [shares=R,...] " SC_LINEAR_TEXT_COST
                            " [max-rows=N weight=N]",
              .input = "counts",
              .claim =
                  "epsilon-DP, pure; with rho: concentrated; with a delta: (epsilon, "
                  "delta)-DP, within a bound always; counts that add up on every "
                  "level of a tree",
              .does = "Releases counts of a tree, such as country, region, town, that "
                      "add up on every level. Whole numbers from 0 on, from the root "
                      "down.",
              .example = "fan-outs=2,2 epsilon=1 neighbours=add-remove",
              .example_input = "120\n0\n3\n45\n",
              .reference = "Abowd, Ashmead, Cumings-Menon, Garfinkel, Kifer, Leclerc, "
                           "Sexton, Simpson, Task, Zhuravlev: An Uncertainty Principle "
                           "is a Price of Privacy-Preserving Microdata, 2021, for one "
                           "level"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .law_is_folded = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = sc_cell_answers,
    .draw = draw,
    .width = width,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
