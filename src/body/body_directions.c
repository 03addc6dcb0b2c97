/* Which directions a request means: those that it names, or the usual ones for so many columns. */
#include "base/number/ball_double.h"
#include "body/body_plan.h"
#include "synth/model/real_functions.h"

#include <string.h>

/* Directions of a deep point cost nothing but time. */
#define DEPTH_DIRECTIONS 64
/* The rule of the specification for two columns looks at these. */
#define PLANE_FIRST 8
#define PLANE_LAST 256
#define PLANE_STEP 4
#define USUAL_PLANE 16
#define FRAMES 4
/* Several frames need so much of epsilon_each (1 - q) n/2: with less their noise reaches the ends of the ranges, and a frame
 * of axes alone errs less. Measured by `make bench-body`. */
#define FRAMES_NEED 14

static scrim_status read_kind(scrim_body_fit *f, scrim_error *error)
{
    const char *name = f->options.directions;
    char quote[SC_TEXT_QUOTE_BYTES];
    f->kind = f->count == 2 ? SC_DIRECTIONS_EQUIANGULAR : SC_DIRECTIONS_FRAMES;
    if (name == NULL && f->options.vectors != NULL)
        name = sc_direction_kinds[SC_DIRECTIONS_GIVEN];
    if (name == NULL)
        return SCRIM_OK;
    for (size_t i = 0; sc_direction_kinds[i] != NULL; i++)
        if (strcmp(name, sc_direction_kinds[i]) == 0) {
            f->kind = (sc_direction_kind)i;
            return SCRIM_OK;
        }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "directions",
                       "unknown directions '%s'; use frames, axes, pairs, equiangular, "
                       "sequence or given",
                       sc_text_quote(sc_text_of(name), quote));
}

/* The epsilon of each of so many directions. */
static double share_of(const scrim_body_fit *f, size_t count)
{
    double each = sc_ball_near(&f->epsilon) / (double)count;
    sc_body_budget budget;
    sc_body_budget_init(&budget);
    if (sc_ratio_sign(&f->delta) > 0 &&
        sc_body_budget_set(&budget, &f->epsilon, &f->delta, count, NULL) == SCRIM_OK)
        each = sc_ball_near(&budget.each);
    sc_body_budget_clear(&budget);
    return each;
}

/* Two columns: with more directions the polygon is nearer to the body, and each of them is told less exactly. */
static size_t plane_count(const scrim_body_fit *f, double rows)
{
    const double pi = 3.14159265358979, cells = (double)((uint64_t)1 << 20) + 1;
    double best = 0;
    size_t count = USUAL_PLANE;
    for (size_t m = PLANE_FIRST; m <= PLANE_LAST; m += PLANE_STEP) {
        const double gap = pi / (double)m;
        const double error = gap * gap / 2 + 2 / share_of(f, m) *
                                                 sc_real_log(cells * (double)m * 1e4) /
                                                 (rows / 5);
        if (m == PLANE_FIRST || error < best) {
            best = error;
            count = m;
        }
    }
    return count;
}

static size_t usual_count(const scrim_body_fit *f)
{
    const uint64_t expected = f->options.expected_units;
    const double rows = (double)expected;
    if (f->is_depth)
        return f->kind == SC_DIRECTIONS_EQUIANGULAR ? DEPTH_DIRECTIONS : 0;
    if (expected == 0)
        return 0;
    if (f->kind == SC_DIRECTIONS_EQUIANGULAR)
        return plane_count(f, rows);
    if (f->kind == SC_DIRECTIONS_FRAMES && f->count > 2) {
        const size_t many = (size_t)FRAMES * 2 * f->count;
        const double beyond = (1 - sc_ball_near(&f->q)) * rows;
        return share_of(f, many) * beyond / 2 < FRAMES_NEED ? 2 * f->count : many;
    }
    return 0;
}

/* The caller's own: a row of numbers for each, rows apart by ';' or an end of line. */
static scrim_status read_vectors(scrim_body_fit *f, sc_ratio **out, size_t *count,
                                 scrim_error *error)
{
    sc_text rest = sc_text_of(f->options.vectors), item;
    size_t numbers = 1;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < rest.bytes; i++)
        numbers += strchr(",;\n", rest.start[i]) != NULL;
    char *text = sc_arena_copy(&f->arena, rest.start, rest.bytes);
    sc_ratio *list = sc_arena_allocate(&f->arena, numbers, sizeof *list);
    if (text == NULL || list == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for directions");
    for (size_t i = 0; i < rest.bytes; i++)
        if (text[i] == ';' || text[i] == '\n')
            text[i] = ',';
    rest.start = text;
    *out = list;
    *count = 0;
    while (status == SCRIM_OK && sc_text_item(&rest, ',', &item)) {
        item = sc_text_trim(item);
        if (item.bytes == 0)
            continue;
        sc_ratio_init(&list[*count]);
        status = sc_ratio_parse(item, &list[(*count)++], error);
    }
    if (status == SCRIM_OK && (*count == 0 || *count % f->count != 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "directions",
                             "given directions must have %zu numbers each, one for each "
                             "column",
                             f->count);
    return status;
}

scrim_status sc_body_fit_directions(scrim_body_fit *f, scrim_error *error)
{
    sc_ratio *given = NULL;
    size_t numbers = 0;
    scrim_status status = read_kind(f, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_given = f->kind == SC_DIRECTIONS_GIVEN;
    if (is_given != (f->options.vectors != NULL))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "directions",
                           "given directions need their numbers, and others have none");
    if (is_given)
        status = read_vectors(f, &given, &numbers, error);
    if (status == SCRIM_OK) {
        const sc_directions_question question = {
            .kind = f->kind,
            .dimension = f->count,
            .count = is_given                         ? numbers / f->count
                     : f->options.direction_count > 0 ? (size_t)f->options.direction_count
                                                      : usual_count(f),
            .seed = f->options.seed,
            .given = given};
        status = sc_directions_init(&f->directions, &question, error);
    }
    for (size_t i = 0; i < numbers; i++)
        sc_ratio_clear(&given[i]);
    return status;
}
