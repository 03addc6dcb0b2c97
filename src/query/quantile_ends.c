#include "query/quantile_ends.h"

#include "base/memory.h"
#include "query/estimate.h"

#include <string.h>

static void p_of(const sc_statistic *statistic, size_t i, sc_ratio *out)
{
    sc_extent_value((sc_step){statistic->p[i].numerator, statistic->p[i].denominator}, 1,
                    out);
}

/* The ranks of the ends. */
static void find_ranks(sc_quantile_ends *ends, sc_int128 rows_number)
{
    const bool is_below = ends->statistic->kind == SC_STATISTIC_BELOW;
    sc_ratio p;
    sc_ratio_init(&p);
    for (size_t i = 0; i < ends->statistic->count; i++) {
        p_of(ends->statistic, i, &p);
        ends->is_used[i] =
            is_below ? sc_estimate_rank_below(ends->rows, rows_number, ends->planned, &p,
                                              ends->confidence, &ends->ranks[i])
                     : sc_estimate_rank_above(ends->rows, rows_number, ends->planned, &p,
                                              ends->confidence, &ends->ranks[i]);
    }
    sc_ratio_clear(&p);
}

/* Places for those that are not used: between 0 and the first that is, between two that are, or
 * between the last and 1; evenly. */
static void fill_gaps(sc_ratio *ranks, const bool *is_used, size_t count)
{
    sc_ratio low, high, step;
    sc_ratio_init(&low);
    sc_ratio_init(&high);
    sc_ratio_init(&step);
    for (size_t i = 0; i < count; i++) {
        size_t behind = i;
        while (behind < count && !is_used[behind])
            behind++;
        sc_ratio_set_int64(&high, 1);
        if (behind < count)
            sc_ratio_set(&high, &ranks[behind]);
        sc_ratio_sub(&step, &high, &low);
        sc_ratio_set_int64(&high, (int64_t)(behind - i) + 1);
        sc_ratio_div(&step, &step, &high);
        for (; i < behind; i++) {
            sc_ratio_add(&low, &low, &step);
            sc_ratio_set(&ranks[i], &low);
        }
        if (i < count)
            sc_ratio_set(&low, &ranks[i]);
    }
    sc_ratio_clear(&step);
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
}

static bool is_increasing(const sc_ratio *ranks, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (sc_ratio_compare(&ranks[i - 1], &ranks[i]) >= 0)
            return false;
    return true;
}

static void put_ranks(sc_text_sink *line, const sc_ratio *ranks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[SC_RATIO_TEXT_BYTES];
        (void)sc_ratio_format(&ranks[i], text, sizeof text);
        sc_text_put(line, sc_text_of(i == 0 ? "p=" : ","));
        sc_text_put(line, sc_text_of(text));
    }
}

/* The planned line with other ranks. */
static void put_line(sc_text_sink *line, const char *planned, const sc_ratio *ranks,
                     size_t count)
{
    sc_text rest = sc_text_of(planned), word;
    for (bool is_first = true; sc_text_word(&rest, &word); is_first = false) {
        if (!is_first)
            sc_text_put(line, sc_text_of(" "));
        if (word.bytes > 2 && memcmp(word.start, "p=", 2) == 0)
            put_ranks(line, ranks, count);
        else
            sc_text_put(line, word);
    }
}

/* The line with these ranks; freed by sc_release. NULL without memory. */
static char *line_of(const sc_quantile_ends *ends)
{
    const char *planned = scrim_measurement_text(ends->planned);
    sc_text_sink line;
    sc_text_sink_init(&line, NULL, 0);
    put_line(&line, planned, ends->ranks, ends->statistic->count);
    const size_t bytes = line.length + 1;
    char *text = sc_allocate(bytes, 1);
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&line, text, bytes);
    put_line(&line, planned, ends->ranks, ends->statistic->count);
    return text;
}

static bool reserve(sc_quantile_ends *ends)
{
    if (ends->made_count < ends->made_capacity)
        return true;
    const size_t capacity = 2 * ends->made_capacity + 16;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    scrim_measurement **made = sc_allocate(capacity, sizeof *made);
    if (made == NULL)
        return false;
    for (size_t i = 0; i < ends->made_count; i++)
        made[i] = ends->made[i];
    sc_release(ends->made);
    ends->made = made;
    ends->made_capacity = capacity;
    return true;
}

/* One that was made before, or a new one. */
static scrim_status find_or_make(sc_quantile_ends *ends, const char *line,
                                 const scrim_measurement **out, scrim_error *error)
{
    for (size_t i = 0; i < ends->made_count; i++)
        if (strcmp(scrim_measurement_text(ends->made[i]), line) == 0) {
            *out = ends->made[i];
            return SCRIM_OK;
        }
    if (!reserve(ends))
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a quantile");
    const scrim_status status =
        scrim_measurement_parse(line, &ends->made[ends->made_count], error);
    if (status == SCRIM_OK)
        *out = ends->made[ends->made_count++];
    return status;
}

scrim_status sc_quantile_ends_init(sc_quantile_ends *ends,
                                   const scrim_measurement *planned,
                                   const sc_statistic *statistic,
                                   const scrim_measurement *rows,
                                   const sc_ratio *confidence, scrim_error *error)
{
    *ends = (sc_quantile_ends){.planned = planned,
                               .statistic = statistic,
                               .rows = rows,
                               .confidence = confidence};
    ends->is_used = sc_allocate(statistic->count, sizeof *ends->is_used);
    ends->ranks = sc_allocate(statistic->count, sizeof *ends->ranks);
    for (size_t i = 0; ends->ranks != NULL && i < statistic->count; i++)
        sc_ratio_init(&ends->ranks[i]);
    return ends->is_used == NULL || ends->ranks == NULL
               ? sc_fail(error, SCRIM_E_MEMORY, "no memory for a quantile")
               : SCRIM_OK;
}

void sc_quantile_ends_clear(sc_quantile_ends *ends)
{
    for (size_t i = 0; ends->ranks != NULL && i < ends->statistic->count; i++)
        sc_ratio_clear(&ends->ranks[i]);
    for (size_t i = 0; i < ends->made_count; i++)
        scrim_measurement_free(ends->made[i]);
    sc_release(ends->made);
    sc_release(ends->ranks);
    sc_release(ends->is_used);
    *ends = (sc_quantile_ends){.planned = NULL};
}

scrim_status sc_quantile_ends_of(sc_quantile_ends *ends, sc_int128 rows_number,
                                 const scrim_measurement **out, scrim_error *error)
{
    const size_t count = ends->statistic->count;
    scrim_status status = SCRIM_OK;
    bool is_any = false;
    *out = NULL;
    find_ranks(ends, rows_number);
    for (size_t i = 0; i < count; i++)
        is_any |= ends->is_used[i];
    fill_gaps(ends->ranks, ends->is_used, count);
    if (is_any && is_increasing(ends->ranks, count)) {
        char *line = line_of(ends);
        status = line == NULL ? sc_fail(error, SCRIM_E_MEMORY, "no memory for a quantile")
                              : find_or_make(ends, line, out, error);
        sc_release(line);
    }
    /* What cannot be told by its rank lies within the range. */
    for (size_t i = 0; *out == NULL && i < count; i++)
        ends->is_used[i] = false;
    return status == SCRIM_E_MEMORY ? status : SCRIM_OK;
}
