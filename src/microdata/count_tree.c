#include "microdata/count_tree.h"

#include "base/number/ball_double.h"
#include "mechanism/microdata/table_error.h"
#include "microdata/noise_weights.h"
#include "microdata/tree_tables.h"
#include "microdata/two_way.h"
#include "model/option_struct.h"
#include "query/answer/ask.h"
#include "query/label/label.h"

#include <math.h>
#include <string.h>

#define LEAST_RUNS 40
#define LOWER_BITS 128
/* The public coins of ties and of simulations: the release, and a number of their own. */
#define TIES_KEY 0x7469657300000000u
#define RUNS_KEY 0x72756e7300000000u

void scrim_hierarchy_free(scrim_hierarchy *h)
{
    if (h == NULL)
        return;
    sc_known_counts_clear(&h->solution);
    sc_squares_clear(&h->squares);
    sc_tree_tables_clear(&h->tables);
    sc_noisy_tree_clear(&h->tree);
    sc_free(h->estimates);
    sc_free(h->counts);
    sc_free(h->known);
    sc_free(h->low);
    sc_free(h->high);
    sc_free(h->is_known);
    sc_free(h->widths);
    sc_arena_clear(&h->arena);
    sc_free(h);
}

/* The record. */

static bool copy_word(sc_text word, char *out, size_t capacity)
{
    if (word.bytes >= capacity)
        return false;
    if (word.bytes > 0)
        memcpy(out, word.start, word.bytes);
    out[word.bytes] = '\0';
    return true;
}

static scrim_status set_facts(scrim_hierarchy *h, const sc_record *record,
                              const sc_recorded *release, scrim_error *error)
{
    scrim_hierarchy_facts *f = &h->facts;
    const sc_schema *schema = NULL;
    const scrim_status status = sc_record_schema(record, &schema, error);
    if (status != SCRIM_OK)
        return status;
    f->release = release->id;
    f->time = release->time;
    f->version = record->version;
    f->dataset = sc_arena_copy(&h->arena, record->dataset.start, record->dataset.bytes);
    f->unit = schema->unit.bytes == 0
                  ? "row"
                  : sc_arena_copy(&h->arena, schema->unit.start, schema->unit.bytes);
    f->guarantee = f->doubt = "";
    f->cost.neighbours = schema->neighbours;
    sc_schema_free(schema);
    if (!copy_word(record->cost_epsilon, f->cost.epsilon, sizeof f->cost.epsilon) ||
        !copy_word(record->cost_delta, f->cost.delta, sizeof f->cost.delta) ||
        !copy_word(record->cost_rho, f->cost.rho, sizeof f->cost.rho) ||
        f->dataset == NULL || f->unit == NULL)
        return sc_no_memory(error, "the tree");
    return SCRIM_OK;
}

static scrim_status read_record(void *context, const sc_recorded *recorded,
                                scrim_error *error)
{
    scrim_hierarchy *h = context;
    sc_record record;
    sc_arena arena;
    sc_arena_init(&arena);
    scrim_status status =
        sc_record_read(sc_text_of(recorded->text), &arena, &record, error);
    if (status == SCRIM_OK)
        status = set_facts(h, &record, recorded, error);
    if (status == SCRIM_OK)
        status = sc_noisy_tree_read(&record, &h->tree, error);
    sc_arena_clear(&arena);
    return status;
}

static scrim_status refuse(uint64_t release, scrim_error *error)
{
    (void)release;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                       "the release is not a tree of counts");
}

/* A tree is the record of a batch of queries, read in another way. */
static scrim_status read_release(scrim_hierarchy *h, scrim_vault *vault, uint64_t id,
                                 scrim_error *error)
{
    sc_charged_kind kind = sc_query_kind;
    kind.refuse = refuse;
    kind.show = read_record;
    return sc_charged_replay(&kind, h, vault, id, error);
}

/* Options. */

static scrim_status set_confidence(scrim_hierarchy *h, const char *text,
                                   scrim_error *error)
{
    SC_OWN(sc_ratio, one, confidence);
    SC_BALL_SCOPE(scope);
    sc_ratio_set_int64(&one, 1);
    text = text == NULL ? "0.95" : text;
    if (sc_ratio_parse(sc_text_of(text), &confidence, NULL) != SCRIM_OK ||
        sc_ratio_sign(&confidence) <= 0 || sc_ratio_compare(&confidence, &one) >= 0 ||
        !copy_word(sc_text_of(text), h->confidence, sizeof h->confidence))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                                 "must be above 0 and below 1, such as 0.95");
    sc_ratio_sub(&one, &one, &confidence);
    h->beta = sc_ball_near(&one);
    h->facts.confidence = h->confidence;
    return SCRIM_OK;
}

static scrim_status take_memory(scrim_hierarchy *h, scrim_error *error)
{
    const size_t nodes = h->tree.starts[h->tree.levels];
    h->facts.nodes = nodes;
    h->facts.levels = h->tree.levels;
    h->facts.tables = h->tree.table_count;
    h->facts.queries = h->tree.query_count;
    h->estimates = sc_allocate(nodes, sizeof *h->estimates);
    h->counts = sc_allocate(nodes, sizeof *h->counts);
    h->known = sc_allocate(nodes, sizeof *h->known);
    h->is_known = sc_allocate(nodes, sizeof *h->is_known);
    if (h->estimates == NULL || h->counts == NULL || h->known == NULL ||
        h->is_known == NULL)
        return sc_no_memory(error, "the tree");
    for (size_t v = 0; v < nodes; v++)
        h->known[v] = SC_COUNT_UNKNOWN;
    return SCRIM_OK;
}

/* Estimates. */

static double variance_of(const scrim_hierarchy *h, size_t level)
{
    const sc_tree_level *l = &h->tree.level[level];
    if (h->tables.count > 0)
        return sc_tree_tables_variance(&h->tables, level);
    return l->is_measured ? sc_level_variance(&l->noise) : HUGE_VAL;
}

/* The number of one node by itself: its known count, or its noisy one. */
static double noisy_of(const scrim_hierarchy *h, size_t level, size_t node)
{
    if (h->known[node] != SC_COUNT_UNKNOWN)
        return (double)h->known[node];
    return h->tables.count > 0 ? sc_tree_tables_total(&h->tables, level, node)
                               : (double)h->tree.noisy[node];
}

/* How many nodes of a level were declared. */
static size_t count_known(const scrim_hierarchy *h, size_t level)
{
    size_t count = 0;
    for (size_t v = h->tree.starts[level]; v < h->tree.starts[level + 1]; v++)
        count += h->known[v] != SC_COUNT_UNKNOWN;
    return count;
}

/* A tree stays even where the levels that have known nodes have no others. */
static scrim_status set_squares(scrim_hierarchy *h, scrim_error *error)
{
    const sc_noisy_tree *t = &h->tree;
    double levels[SC_LEVELS_MOST + 1];
    bool is_even = t->is_even;
    for (size_t i = 0; i < t->levels; i++) {
        const size_t known = count_known(h, i);
        const bool is_known = known == t->starts[i + 1] - t->starts[i];
        levels[i] = is_known ? 0 : variance_of(h, i);
        is_even = is_even && (known == 0 || is_known);
    }
    if (is_even)
        return sc_squares_init_even(&h->squares, &t->shape, t->fanouts, t->levels, levels,
                                    error);
    double *variances = sc_allocate(h->facts.nodes, sizeof *variances);
    if (variances == NULL)
        return sc_no_memory(error, "the tree");
    for (size_t i = 0; i < t->levels; i++)
        for (size_t v = t->starts[i]; v < t->starts[i + 1]; v++)
            variances[v] = h->known[v] == SC_COUNT_UNKNOWN ? levels[i] : 0;
    const scrim_status status = sc_squares_init(&h->squares, &t->shape, variances, error);
    sc_free(variances);
    return status;
}

/* Estimates that respect the counts that are known by now. */
static scrim_status fit(scrim_hierarchy *h, scrim_error *error)
{
    const sc_noisy_tree *t = &h->tree;
    SC_TRY(set_squares(h, error));
    for (size_t i = 0; i < t->levels; i++)
        for (size_t v = t->starts[i]; v < t->starts[i + 1]; v++)
            h->estimates[v] = noisy_of(h, i, v);
    sc_squares_estimate(&h->squares, h->estimates);
    return SCRIM_OK;
}

/* Known counts are believed, whatever was measured: a wrong one is spread over all others. So each is first
 * compared with the estimate of its node that the measurements alone give. */
static scrim_status doubt_known(scrim_hierarchy *h,
                                const scrim_hierarchy_options *options,
                                scrim_error *error)
{
    if (options->known_count == 0 || h->is_expected)
        return SCRIM_OK;
    scrim_status status = fit(h, error);
    if (status == SCRIM_OK)
        status = sc_declared_counts_doubt(h, options, error);
    sc_squares_clear(&h->squares);
    return status;
}

/* Whole counts near the estimates that add up. */
static scrim_status round_estimates(scrim_hierarchy *h, scrim_error *error)
{
    const sc_hash_key key = {h->facts.release, TIES_KEY};
    scrim_status status = SCRIM_OK;
    for (size_t v = 0; v < h->facts.nodes; v++)
        h->counts[v] = sc_nearest_count(h->estimates[v]);
    if (h->tables.count > 0 && h->counts[0] > SC_TWO_WAY_VALUE)
        h->counts[0] = SC_TWO_WAY_VALUE;
    if (h->facts.known > 0)
        status = sc_known_counts_solve(&h->solution, &key, h->counts, error);
    else
        sc_top_down(&h->tree.shape, &key, h->counts);
    return status == SCRIM_OK
               ? sc_tree_tables_solve(&h->tables, h->estimates, h->counts, &key, error)
               : status;
}

static void set_levels(scrim_hierarchy *h)
{
    const sc_noisy_tree *t = &h->tree;
    sc_level_noise noise[SC_LEVELS_MOST + 1];
    double bounds[SC_LEVELS_MOST + 1];
    bool are_measured = h->facts.known == 0;
    for (size_t i = 0; i < t->levels; i++) {
        scrim_hierarchy_level *l = &h->level[i];
        double most = 0, widest = 0;
        noise[i] = t->level[i].noise;
        are_measured = are_measured && t->level[i].is_measured;
        /* In an even tree they are all alike. */
        const size_t end = h->squares.is_even ? t->starts[i] + 1 : t->starts[i + 1];
        for (size_t v = t->starts[i]; v < end; v++) {
            most = fmax(most, sc_squares_variance(&h->squares, v));
            widest = fmax(widest, sc_count_tree_half_width(h, i, v));
        }
        *l = (scrim_hierarchy_level){
            .name = t->level[i].name,
            .measurement = t->level[i].measurement,
            .first = t->starts[i],
            .count = t->starts[i + 1] - t->starts[i],
            .noise = t->level[i].is_measured ? sqrt(sc_level_variance(&noise[i])) : 0,
            .noise_half_width =
                t->level[i].is_measured ? sc_noise_half_width(&noise[i], h->beta) : 0,
            .deviation = sqrt(most),
            .half_width = widest};
    }
    if (!are_measured)
        return;
    sc_error_bounds(noise, t->fanouts, t->levels, bounds);
    for (size_t i = 0; i < t->levels; i++)
        h->level[i].bound = bounds[i];
}

static scrim_status check_runs(const scrim_hierarchy *h, unsigned runs,
                               scrim_error *error)
{
    if (runs > 0 && runs < LEAST_RUNS)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "simulations",
                           "the number of simulations must be 0 or at least %d",
                           LEAST_RUNS);
    return sc_simulated_fits(sc_table_simulation_numbers(&h->tree), runs)
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "simulations",
                             "the tree is too large to be simulated so often: counts "
                             "times simulations must be at most %zu",
                             SC_SIMULATED_NUMBERS);
}

static scrim_status simulate_nodes(scrim_hierarchy *h,
                                   const scrim_hierarchy_options *options,
                                   scrim_error *error)
{
    sc_level_noise noise[SC_LEVELS_MOST + 1];
    for (size_t i = 0; i < h->tree.levels; i++)
        noise[i] = h->tree.level[i].noise;
    const sc_simulation simulation = {.squares = &h->squares,
                                      .noise = noise,
                                      .starts = h->tree.starts,
                                      .levels = h->tree.levels,
                                      .known = h->facts.known > 0 ? &h->solution : NULL,
                                      .key = {h->facts.release, RUNS_KEY},
                                      .runs = options->simulations,
                                      .confidence = 1 - h->beta,
                                      .progress = options->progress,
                                      .progress_context = options->context};
    return sc_simulate(&simulation, h->counts, h->low, h->high, error);
}

static scrim_status simulate_tables(scrim_hierarchy *h,
                                    const scrim_hierarchy_options *options,
                                    scrim_error *error)
{
    bool *is_known = sc_allocate(h->facts.nodes, sizeof *is_known);
    if (is_known == NULL)
        return sc_no_memory(error, "the tree");
    for (size_t v = 0; v < h->facts.nodes; v++)
        is_known[v] = h->known[v] != SC_COUNT_UNKNOWN;
    const sc_table_simulation simulation = {.tables = &h->tables,
                                            .squares = &h->squares,
                                            .counts = h->counts,
                                            .is_known = is_known,
                                            .known =
                                                h->facts.known > 0 ? &h->solution : NULL,
                                            .key = {h->facts.release, RUNS_KEY},
                                            .runs = options->simulations,
                                            .confidence = 1 - h->beta,
                                            .progress = options->progress,
                                            .progress_context = options->context};
    const scrim_status status = sc_simulate_tables(&simulation, h->low, h->high, error);
    sc_free(is_known);
    return status;
}

static scrim_status simulate(scrim_hierarchy *h, const scrim_hierarchy_options *options,
                             scrim_error *error)
{
    const size_t numbers = sc_table_simulation_numbers(&h->tree);
    if (options->simulations == 0 || h->is_expected)
        return SCRIM_OK;
    h->low = sc_allocate(numbers, sizeof *h->low);
    h->high = sc_allocate(numbers, sizeof *h->high);
    if (h->low == NULL || h->high == NULL)
        return sc_no_memory(error, "the tree");
    h->facts.is_simulated = 1;
    return h->tables.count > 0 ? simulate_tables(h, options, error)
                               : simulate_nodes(h, options, error);
}

/* The lower bound. */

/* No private table whose total is as good as that of this tree has a better level: the integers of the root are within a half of
 * its estimate, or nearer to the truth. */
static void set_lower(scrim_hierarchy *h)
{
    SC_OWN(sc_ratio, epsilon, delta);
    SC_OWN(sc_ball, sum, lower);
    SC_BALL_SCOPE(scope);
    const scrim_cost *cost = &h->facts.cost;
    if (cost->neighbours != SCRIM_ADD_REMOVE || h->facts.known > 0 ||
        sc_ratio_parse(sc_text_of(cost->epsilon), &epsilon, NULL) != SCRIM_OK ||
        sc_ratio_sign(&epsilon) <= 0)
        return;
    const bool has_delta =
        sc_ratio_parse(sc_text_of(cost->delta), &delta, NULL) == SCRIM_OK &&
        sc_ratio_sign(&delta) > 0;
    const sc_table_privacy privacy = {&epsilon, has_delta ? &delta : NULL, NULL};
    sc_ball_set_double(&sum, h->level[0].deviation + 0.5);
    for (size_t i = 1; i < h->tree.levels; i++) {
        sc_cell_error_lower(&privacy, h->level[i].count, &sum, LOWER_BITS, &lower, NULL);
        h->level[i].lower = fmax(0, sc_ball_lower(&lower));
    }
}

/* All but the noisy counts. */
static scrim_status finish(scrim_hierarchy *h, const scrim_hierarchy_options *options,
                           scrim_error *error)
{
    scrim_status status = take_memory(h, error);
    if (status == SCRIM_OK)
        status = check_runs(h, options->simulations, error);
    if (status == SCRIM_OK && h->tree.table_count > 0)
        status = sc_tree_tables_init(&h->tables, &h->tree, error);
    if (status == SCRIM_OK)
        status = doubt_known(h, options, error);
    if (status == SCRIM_OK)
        status = sc_declared_counts_set(h, options, error);
    if (status == SCRIM_OK)
        status = fit(h, error);
    if (status == SCRIM_OK)
        status = round_estimates(h, error);
    if (status == SCRIM_OK)
        status = sc_count_tree_set_half_widths(h, error);
    if (status == SCRIM_OK) {
        set_levels(h);
        set_lower(h);
        status = simulate(h, options, error);
    }
    return status;
}

static scrim_status open_tree(const scrim_hierarchy_options *options,
                              scrim_hierarchy_options *given, scrim_hierarchy **out,
                              scrim_error *error)
{
    scrim_status status =
        sc_option_struct_copy(options, sizeof(size_t), given, sizeof *given, error);
    if (status != SCRIM_OK)
        return status;
    scrim_hierarchy *h = sc_allocate(1, sizeof *h);
    if (h == NULL)
        return sc_no_memory(error, "the tree");
    sc_arena_init(&h->arena);
    sc_arena_init(&h->tree.arena);
    status = set_confidence(h, given->confidence, error);
    if (status == SCRIM_OK)
        *out = h;
    else
        scrim_hierarchy_free(h);
    return status;
}

/* Where its record is. */
typedef struct tree_source {
    scrim_vault *vault; /* and a release of it, or */
    uint64_t release;
    const scrim_label *label; /* this one */
} tree_source;

static scrim_status read_source(scrim_hierarchy *h, const tree_source *from,
                                scrim_error *error)
{
    if (from->label == NULL)
        return read_release(h, from->vault, from->release, error);
    const char *kind = scrim_label_get(from->label, "release.kind"),
               *number = scrim_label_get(from->label, "release.number");
    sc_recorded recorded = {.text = from->label->record};
    if (recorded.text == NULL)
        return sc_fail(error, SCRIM_E_STATE, "the label has no record of its release");
    if (kind == NULL || strcmp(kind, "query") != 0 || number == NULL ||
        !sc_text_uint64(sc_text_of(number), &recorded.id))
        return refuse(0, error);
    return read_record(h, &recorded, error);
}

static scrim_status show_tree(const tree_source *from,
                              const scrim_hierarchy_options *options,
                              scrim_hierarchy **out, scrim_error *error)
{
    scrim_hierarchy_options given;
    scrim_hierarchy *h = NULL;
    scrim_status status = open_tree(options, &given, &h, error);
    if (status == SCRIM_OK)
        status = read_source(h, from, error);
    if (status == SCRIM_OK)
        status = finish(h, &given, error);
    if (status == SCRIM_OK)
        *out = h;
    else
        scrim_hierarchy_free(h);
    return status;
}

scrim_status scrim_hierarchy_replay(scrim_vault *vault, uint64_t release,
                                    const scrim_hierarchy_options *options,
                                    scrim_hierarchy **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    return show_tree(&(tree_source){.vault = vault, .release = release}, options, out,
                     error);
}

scrim_status scrim_label_hierarchy(const scrim_label *label,
                                   const scrim_hierarchy_options *options,
                                   scrim_hierarchy **out, scrim_error *error)
{
    SC_REQUIRE(error, "label out", label, out);
    return show_tree(&(tree_source){.label = label}, options, out, error);
}

static scrim_status set_expected_facts(scrim_hierarchy *h, const scrim_plan *plan,
                                       scrim_error *error)
{
    scrim_hierarchy_facts *f = &h->facts;
    const sc_text unit = plan->schema->unit;
    f->version = plan->dataset.version;
    f->guarantee = f->doubt = "";
    f->dataset = sc_arena_copy(&h->arena, plan->dataset.name, strlen(plan->dataset.name));
    f->unit = unit.bytes == 0 ? "row" : sc_arena_copy(&h->arena, unit.start, unit.bytes);
    f->cost.neighbours = plan->neighbours;
    (void)sc_ratio_format(&plan->options.epsilon, f->cost.epsilon,
                          sizeof f->cost.epsilon);
    (void)sc_ratio_format(&plan->options.delta, f->cost.delta, sizeof f->cost.delta);
    return f->dataset == NULL || f->unit == NULL ? sc_no_memory(error, "the tree")
                                                 : SCRIM_OK;
}

scrim_status scrim_hierarchy_expect(const scrim_plan *plan,
                                    const scrim_hierarchy_options *options,
                                    scrim_hierarchy **out, scrim_error *error)
{
    SC_REQUIRE(error, "plan out", plan, out);
    scrim_hierarchy_options given;
    scrim_hierarchy *h = NULL;
    scrim_status status = open_tree(options, &given, &h, error);
    if (status == SCRIM_OK) {
        h->is_expected = true;
        status = set_expected_facts(h, plan, error);
    }
    if (status == SCRIM_OK)
        status = sc_noisy_tree_expect(plan, &h->tree, error);
    if (status == SCRIM_OK)
        status = finish(h, &given, error);
    if (status == SCRIM_OK)
        *out = h;
    else
        scrim_hierarchy_free(h);
    return status;
}
