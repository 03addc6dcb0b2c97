#include "query/language/condition_facts.h"
#include "query/plan/measured.h"
#include "query/plan/plan_choice.h"
#include "query/plan/plan_measure.h"

#include <stdlib.h>

/* The interval of a sum of two noises beside that of one, at 0.95: of Laplace noise 4.13 scales to 3, of Gaussian noise the root
 * of 2. */
#define LAPLACE_PERCENT 138
#define GAUSSIAN_PERCENT 142
/* Conditions that are compared with each other, and from how many of them on: the time that a plan takes is bounded. */
#define COMPARED 32
#define STARTS 4

/* The aggregate whose rows are to be a cell, counted from 1: the one with the smallest text, whatever the order of columns; 0:
 * none can be. */
static scrim_status find_candidate(const sc_planned_statement *s, sc_arena *arena,
                                   size_t *out, scrim_error *error)
{
    sc_measured measured;
    sc_text least = {NULL, 0};
    *out = 0;
    for (size_t i = 0; i < s->query->aggregate_count; i++) {
        if (!sc_statistics_may_have_cells(s->query, &s->statistics, i))
            continue;
        if (*out == 0 && !sc_measured_of(s->query, &s->statistics, arena, &measured))
            return sc_no_memory(error, "a plan");
        const sc_text text = measured.statistics[s->statistics.uses[i].rows];
        if (*out == 0 || sc_text_compare(text, least) < 0) {
            least = text;
            *out = i + 1;
        }
    }
    return SCRIM_OK;
}

static void norms_of_rows(const scrim_plan *plan, const sc_planned_statement *s,
                          size_t aggregate, sc_norms *out)
{
    const sc_reach reach = sc_plan_reach(s, plan->neighbours);
    sc_plan_norms(s, &s->statistics.list[s->statistics.uses[aggregate].rows], &reach,
                  out);
}

/* Do both cells cost as much as one count? A unit that is replaced within a group moves both. */
static bool cost_as_much(const scrim_plan *plan, const sc_planned_statement *cells,
                         const sc_planned_statement *apart)
{
    SC_OWN(sc_norms, both, one);
    norms_of_rows(plan, cells, cells->cells - 1, &both);
    norms_of_rows(plan, apart, cells->cells - 1, &one);
    return sc_ratio_compare(&both.l1, &one.l1) <= 0 &&
           sc_ratio_compare(&both.l2, &one.l2) <= 0;
}

/* The errors of all aggregates of one statement that has the whole budget, each as a multiple of what it could have alone,
 * multiplied. */
static scrim_status multiply_errors(const scrim_plan *plan, const sc_planned_statement *s,
                                    sc_integer *out, scrim_error *error)
{
    const bool is_gaussian = plan->options.noise == SC_PLAN_GAUSSIAN;
    scrim_plan alone = *plan;
    sc_division division;
    alone.statements = s;
    alone.statement_count = 1;
    alone.options.guesses.count = 0; /* lent, and not cleared */
    const scrim_status status = sc_division_make(&alone, is_gaussian, &division, error);
    sc_integer_set_int128(out, 1);
    for (size_t i = 0; status == SCRIM_OK && i < division.aggregate_count; i++) {
        const bool is_sum = s->statistics.uses[i].missing != SC_STATISTIC_NONE;
        sc_integer_mul_uint64(out, out, division.ratios[i]);
        sc_integer_mul_uint64(out, out,
                              !is_sum       ? 100
                              : is_gaussian ? GAUSSIAN_PERCENT
                                            : LAPLACE_PERCENT);
    }
    sc_division_clear(&division);
    return status;
}

/* Disjoint counts. */

/* Conditions with more nodes than this are not compared part by part. */
#define PARTS_COMPARED 64

/* Both are sorted. */
static bool have_common_value(const sc_typed *a, const sc_typed *b)
{
    for (size_t i = 0, k = 0; i < a->value_count && k < b->value_count;) {
        if (a->values[i] == b->values[k])
            return true;
        if (a->values[i] < b->values[k])
            i++;
        else
            k++;
    }
    for (size_t i = 0, k = 0; i < a->text_count && k < b->text_count;) {
        const int order = sc_text_compare(a->texts[i], b->texts[k]);
        if (order == 0)
            return true;
        if (order < 0)
            i++;
        else
            k++;
    }
    return false;
}

/* Are no two of them true for one row, since the same expression has other values in each? Facts do not look into functions, such
 * as MONTH(day) = 1 and MONTH(day) = 2. */
static bool have_other_values(const sc_typed *a, const sc_typed *b)
{
    if (a->operation != SC_OP_AND && a->operation != SC_OP_OR) {
        if (b->operation == SC_OP_AND || b->operation == SC_OP_OR)
            return have_other_values(b, a);
        return a->operation == b->operation &&
               (a->operation == SC_OP_IN || a->operation == SC_OP_TEXT_IN) &&
               sc_typed_equal(a->parts[0], b->parts[0]) && !have_common_value(a, b);
    }
    const bool needs_all = a->operation == SC_OP_OR;
    for (size_t i = 0; i < a->count; i++)
        if (have_other_values(a->parts[i], b) != needs_all)
            return !needs_all;
    return needs_all;
}

static bool exclude_each_other(const sc_typed *a, const sc_typed *b)
{
    return a->size <= PARTS_COMPARED && b->size <= PARTS_COMPARED &&
           have_other_values(a, b);
}

/* AND, or OR, of conditions; none counts as false beforehand. */
static sc_typed join(sc_operation operation, const sc_typed *const *parts, size_t count)
{
    sc_typed out = {.operation = operation,
                    .type = SC_TYPE_BOOL,
                    .extent = {0, 1, {1, 1}},
                    .parts = parts,
                    .count = count,
                    .size = 1,
                    .is_nullable = true};
    for (size_t i = 0; i < count; i++)
        out.size += parts[i]->size;
    return out;
}

/* Can a row that counts be in one of the chosen counts and on this condition? */
static scrim_status may_overlap(const sc_query *query, const sc_typed *const *chosen,
                                size_t count, const sc_typed *condition, sc_arena *arena,
                                bool *out, scrim_error *error)
{
    const sc_typed *rest[COMPARED];
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (!exclude_each_other(chosen[i], condition))
            rest[left++] = chosen[i];
    *out = left > 0;
    if (left == 0)
        return SCRIM_OK;
    const sc_typed any = join(SC_OP_OR, rest, left);
    const sc_typed *parts[] = {condition, left == 1 ? rest[0] : &any, query->where};
    const sc_typed both = join(SC_OP_AND, parts, query->where == NULL ? 2 : 3);
    sc_condition_facts facts;
    if (!sc_condition_facts_of(&both, query->schema, arena, &facts))
        return sc_no_memory(error, "a plan");
    *out = facts.can_be_true;
    return SCRIM_OK;
}

/* A count of rows on a condition. */
typedef struct candidate {
    sc_text text;
    const sc_typed *condition;
    size_t aggregate; /* the first that it is of */
} candidate;

static int by_text(const void *left, const void *right)
{
    return sc_text_compare(((const candidate *)left)->text,
                           ((const candidate *)right)->text);
}

/* Counts of rows on conditions, in the order of their texts, whatever the order of columns. */
typedef struct candidates {
    candidate list[SC_DISJOINT_MOST];
    size_t count;
} candidates;

static bool is_listed(const candidates *all, sc_text text)
{
    for (size_t i = 0; i < all->count; i++)
        if (sc_text_equal(all->list[i].text, text))
            return true;
    return false;
}

static scrim_status list_candidates(const sc_planned_statement *s, sc_arena *arena,
                                    candidates *out, scrim_error *error)
{
    const sc_statistics *all = &s->statistics;
    const size_t count = s->query->aggregate_count;
    bool is_measured = false;
    sc_measured measured;
    out->count = 0;
    for (size_t i = 0; count <= SC_DISJOINT_MOST && i < count; i++) {
        const sc_typed *condition = NULL;
        if (!sc_statistics_may_be_disjoint(all, i))
            continue;
        const size_t rows = all->uses[i].rows;
        (void)sc_presence_value(all->values[all->list[rows].value], &condition);
        if (condition == NULL)
            continue;
        if (!is_measured && !sc_measured_of(s->query, all, arena, &measured))
            return sc_no_memory(error, "a plan");
        is_measured = true;
        if (!is_listed(out, measured.statistics[rows]))
            out->list[out->count++] =
                (candidate){measured.statistics[rows], condition, i};
    }
    if (out->count > 1)
        qsort(out->list, out->count, sizeof *out->list, by_text);
    if (out->count > COMPARED)
        out->count = COMPARED;
    return SCRIM_OK;
}

/* Counts that exclude each other: bit i for aggregate i. */
typedef struct chosen {
    uint64_t aggregates;
    size_t count;
} chosen;

/* From one candidate on, each that excludes all before it. */
static scrim_status gather(const sc_query *query, const candidates *all, size_t start,
                           sc_arena *arena, chosen *out, scrim_error *error)
{
    const sc_typed *conditions[COMPARED] = {all->list[start].condition};
    *out = (chosen){(uint64_t)1 << all->list[start].aggregate, 1};
    for (size_t i = 0; i < all->count; i++) {
        const candidate *next = &all->list[i];
        bool overlaps = i == start;
        if (!overlaps)
            SC_TRY(may_overlap(query, conditions, out->count, next->condition, arena,
                               &overlaps, error));
        if (overlaps)
            continue;
        conditions[out->count++] = next->condition;
        out->aggregates |= (uint64_t)1 << next->aggregate;
    }
    return SCRIM_OK;
}

/* 0: no two counts exclude each other, as far as was looked. */
static scrim_status find_disjoint(const sc_planned_statement *s, sc_arena *arena,
                                  uint64_t *out, scrim_error *error)
{
    candidates all;
    chosen best = {0, 1};
    SC_TRY(list_candidates(s, arena, &all, error));
    for (size_t i = 0; i < all.count && i < STARTS && best.count < all.count; i++) {
        chosen found;
        SC_TRY(gather(s->query, &all, i, arena, &found, error));
        if (found.count > best.count)
            best = found;
    }
    *out = best.aggregates;
    return SCRIM_OK;
}

/* Multiplied by how far one unit moves the rows of each aggregate that is drawn with others, in 2^-20. */
static void multiply_reach(const scrim_plan *plan, const sc_planned_statement *drawn,
                           const sc_planned_statement *s, sc_integer *product)
{
    SC_OWN(sc_norms, norms);
    SC_OWN(sc_ratio, unit, far);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&unit, 1 << 20);
    for (size_t i = 0; i < s->query->aggregate_count; i++) {
        const size_t rows = drawn->statistics.uses[i].rows;
        if (rows == SC_STATISTIC_NONE ||
            drawn->statistics.list[rows].kind != SC_STATISTIC_DISJOINT)
            continue;
        norms_of_rows(plan, s, i, &norms);
        sc_ratio_mul(
            &far, plan->options.noise == SC_PLAN_GAUSSIAN ? &norms.l2 : &norms.l1, &unit);
        sc_ratio_floor(&far, &whole);
        sc_integer_mul(product, product, &whole);
    }
}

static scrim_status choose_disjoint(const scrim_plan *plan, sc_arena *arena,
                                    const sc_planned_statement *apart,
                                    sc_planned_statement *best, scrim_error *error)
{
    sc_planned_statement drawn = *apart;
    SC_OWN(sc_integer, product, product_of_best);
    SC_TRY(find_disjoint(apart, arena, &drawn.disjoint, error));
    if (drawn.disjoint == 0)
        return SCRIM_OK;
    SC_TRY(sc_plan_statistics_of(&drawn, arena, &drawn.statistics, error));
    SC_TRY(multiply_errors(plan, &drawn, &product, error));
    SC_TRY(multiply_errors(plan, best, &product_of_best, error));
    multiply_reach(plan, &drawn, &drawn, &product);
    multiply_reach(plan, &drawn, best, &product_of_best);
    if (sc_integer_compare(&product, &product_of_best) < 0)
        *best = drawn;
    return SCRIM_OK;
}

/* The choice. */

scrim_status sc_cells_other(const sc_planned_statement *s, sc_arena *arena,
                            sc_planned_statement *out, bool *is_any, scrim_error *error)
{
    *out = *s;
    out->cells = 0;
    out->disjoint = 0;
    if (s->cells == 0 && s->disjoint == 0)
        SC_TRY(find_candidate(s, arena, &out->cells, error));
    *is_any = out->cells != s->cells || out->disjoint != s->disjoint;
    return *is_any ? sc_plan_statistics_of(out, arena, &out->statistics, error)
                   : SCRIM_OK;
}

/* Where every count is drawn by itself: in place of COUNT(x) beside COUNT(*), the rows with x and those without. */
static scrim_status choose_cells(const scrim_plan *plan, sc_arena *arena,
                                 const sc_planned_statement *apart,
                                 sc_planned_statement *best, scrim_error *error)
{
    sc_planned_statement cells;
    bool is_any = false;
    SC_OWN(sc_integer, product, product_of_apart);
    SC_TRY(sc_cells_other(apart, arena, &cells, &is_any, error));
    if (!is_any || !cost_as_much(plan, &cells, apart))
        return SCRIM_OK;
    SC_TRY(multiply_errors(plan, &cells, &product, error));
    SC_TRY(multiply_errors(plan, apart, &product_of_apart, error));
    if (sc_integer_compare(&product, &product_of_apart) < 0)
        *best = cells;
    return SCRIM_OK;
}

scrim_status sc_cells_choose(const scrim_plan *plan, sc_arena *arena,
                             sc_planned_statement *s, scrim_error *error)
{
    sc_planned_statement apart = *s;
    /* Releases of a series are drawn alike, sums of one another count all rows, and given shares are of one number each. */
    if (plan->has_series || plan->source > 0 || plan->options.share_count > 0)
        return SCRIM_OK;
    if (s->cells > 0 || s->disjoint != 0) {
        bool is_any;
        SC_TRY(sc_cells_other(s, arena, &apart, &is_any, error));
    }
    *s = apart;
    SC_TRY(choose_cells(plan, arena, &apart, s, error));
    return choose_disjoint(plan, arena, &apart, s, error);
}
