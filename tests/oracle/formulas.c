#include "formulas.h"

#include "check.h"
#include "exact.h"
#include "noise_checks.h"
#include "query/estimate/shown.h"
#include "row_oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool open_asked(formula_scene *s, const char *line, const char *confidence)
{
    sc_ratio level;
    bool is_made = false;
    if (!CHECK_STATUS(s->asked.status, SCRIM_OK))
        return CHECK_STR(s->asked.error.message, "");
    if (!CHECK_STATUS(sc_statistics_of(
                          s->asked.query,
                          &(sc_statistics_plan){.bounds = s->asked.query->schema->bounds},
                          &s->asked.arena, &s->statistics, NULL),
                      SCRIM_OK))
        return false;
    s->measurement = noise_modelled(line);
    s->measurements = sc_arena_allocate(&s->asked.arena, s->statistics.count,
                                        sizeof(const scrim_measurement *));
    for (size_t i = 0; s->measurements != NULL && i < s->statistics.count; i++)
        s->measurements[i] = s->measurement;
    exact_ratio(confidence, &level);
    for (size_t i = 0; s->measurement != NULL && s->measurements != NULL &&
                       s->estimator == NULL && i < s->asked.query->output_count;
         i++) {
        const sc_formula_setting setting = {.formula = s->asked.query->outputs[i].formula,
                                            .query = s->asked.query,
                                            .statistics = &s->statistics,
                                            .measurements = s->measurements};
        if (setting.formula != NULL)
            is_made = CHECK_STATUS(
                sc_formula_estimator_new(&setting, &level, &s->estimator, NULL),
                SCRIM_OK);
    }
    sc_ratio_clear(&level);
    return CHECK(is_made);
}

bool formula_open(formula_scene *s, const char *query, const char *line,
                  const char *confidence)
{
    *s = (formula_scene){.estimator = NULL};
    query_ask_present(&s->asked, query);
    return open_asked(s, line, confidence);
}

bool formula_open_nullable(formula_scene *s, const char *query, const char *line,
                           const char *confidence)
{
    *s = (formula_scene){.estimator = NULL};
    query_ask(&s->asked, query);
    return open_asked(s, line, confidence);
}

void formula_close(formula_scene *s)
{
    sc_formula_estimator_free(s->estimator);
    scrim_measurement_free(s->measurement);
    query_forget_asked(&s->asked);
}

static void put_end(char *text, bool has, const sc_ratio *end, unsigned digits,
                    sc_shown_way way, const char *missing)
{
    sc_ratio shown;
    sc_arena arena;
    sc_arena_init(&arena);
    sc_ratio_init(&shown);
    sc_shown_round(end, digits, way, &shown);
    const size_t used = strlen(text);
    snprintf(text + used, FORMULA_SHOWN_BYTES - used, "%s%s", used > 0 ? " " : "",
             has ? sc_shown_number(&shown, digits, &arena) : missing);
    sc_ratio_clear(&shown);
    sc_arena_clear(&arena);
}

void formula_shown(const formula_scene *s, const sc_int128 *numbers,
                   char text[FORMULA_SHOWN_BYTES])
{
    SC_OWN(sc_formula_answer, answer);
    text[0] = '\0';
    if (s->estimator == NULL ||
        !CHECK_STATUS(sc_formula_estimate_of(s->estimator, numbers, NULL, &answer, NULL),
                      SCRIM_OK))
        return;
    const unsigned digits = sc_formula_digits(s->estimator);
    put_end(text, !answer.value.is_null, &answer.value.number, digits, SC_SHOWN_NEAREST,
            "NULL");
    put_end(text, answer.bounds.has_low, &answer.bounds.low, digits, SC_SHOWN_DOWN, "-");
    put_end(text, answer.bounds.has_high, &answer.bounds.high, digits, SC_SHOWN_UP, "-");
    if (answer.bounds.is_open)
        snprintf(text + strlen(text), FORMULA_SHOWN_BYTES - strlen(text), " open");
}

/* Random ones. */

__attribute__((format(printf, 2, 3))) static void put(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, FORMULA_TEXT_BYTES - used, format, arguments);
    va_end(arguments);
}

static void put_any(char *text, unsigned depth, bool has_aggregate, uint64_t *seed);

enum { SEVERAL = 0 }; /* two or three */

/* The signs of an operation: either name, between its parts, behind them. */
typedef struct operation {
    const char *names[2], *between, *end;
    size_t count;
} operation;

/* As likely as it is often here. */
static const operation operations[] = {
    {{"("}, " + ", ")", 2},
    {{"("}, " + ", ")", 2},
    {{"("}, " - ", ")", 2},
    {{"("}, " - ", ")", 2},
    {{"("}, " * ", ")", 2},
    {{"("}, " / ", ")", 2},
    {{"("}, " / ", ")", 2},
    {{"ABS("}, "", ")", 1},
    {{"LEAST("}, ", ", ")", SEVERAL},
    {{"GREATEST("}, ", ", ")", SEVERAL},
    {{"COALESCE(", "NULLIF("}, ", ", ")", 2},
    {{"FLOOR(", "ROUND("}, "", ")", 1},
    {{"CLAMP("}, "", ", -5, 500)", 1},
};

/* At least one part of an operation has an aggregate in it. */
static void put_operation(char *text, unsigned depth, uint64_t *seed)
{
    const size_t several = 2 + row_random(seed, 2);
    const operation *o = &operations[row_random(seed, COUNT(operations))];
    const size_t count = o->count == SEVERAL ? several : o->count;
    put(text, "%s", o->names[o->names[1] == NULL ? 0 : row_random(seed, 2)]);
    for (size_t i = 0; i < count; i++) {
        put(text, "%s", i > 0 ? o->between : "");
        put_any(text, depth, i == 0, seed);
    }
    put(text, "%s", o->end);
}

static void put_any(char *text, unsigned depth, bool has_aggregate, uint64_t *seed)
{
    static const char *const leaves[] = {
        "COUNT(*)",
        "COUNT(DISTINCT person_id)",
        "COUNT(DISTINCT person_id) FILTER (WHERE age > 40)",
        "SUM(age)",
        "SUM(income)",
        "AVG(weight)",
        "AVG(age)",
        "COUNT(*) FILTER (WHERE age > 40)"};
    static const char *const numbers[] = {"2", "-3", "0.5", "100", "1 / 3"};
    if (depth > 0) {
        put_operation(text, depth - 1, seed);
        return;
    }
    const bool is_leaf = has_aggregate || row_random(seed, 4) > 0;
    put(text, "%s",
        is_leaf ? leaves[row_random(seed, COUNT(leaves))]
                : numbers[row_random(seed, COUNT(numbers))]);
}

void formula_random(char text[FORMULA_TEXT_BYTES], unsigned depth, uint64_t *seed)
{
    text[0] = '\0';
    put_any(text, depth, true, seed);
}
