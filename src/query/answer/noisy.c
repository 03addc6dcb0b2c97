#include "query/answer/noisy.h"

#include "query/plan/plan_bars.h"
#include "query/plan/plan_select.h"
#include "query/rows/group_kept.h"
#include "query/rows/quantile_rings.h"

#include <string.h>

/* Memory. */

static size_t number_count(const sc_noisy *noisy)
{
    return noisy->statement->statistics.number_count;
}

static size_t histogram_count(const sc_noisy *noisy)
{
    return noisy->statement->statistics.histogram_count;
}

static bool is_bars(const sc_planned_statement *s, const sc_drawn_part *part)
{
    return part->statistic != SC_STATISTIC_NONE &&
           s->statistics.list[part->statistic].kind == SC_STATISTIC_BARS;
}

/* The number of buckets of the histogram that has most of them. */
static size_t cells_of(const sc_planned_statement *s)
{
    uint64_t most = 0;
    for (size_t i = 0; i < s->part_count; i++) {
        const sc_drawn_part *part = &s->parts[i];
        if (!is_bars(s, part))
            continue;
        const sc_bar_grid grid =
            sc_bar_view_grid(&s->statistics, part->statistic, part->width);
        most = grid.count > most ? grid.count : most;
    }
    return (size_t)most;
}

/* Has each bucket of a histogram noise? Then groups are public. */
static bool has_noisy_bars(const sc_planned_statement *s)
{
    for (size_t i = 0; i < s->part_count; i++)
        if (is_bars(s, &s->parts[i]) && sc_bar_is_noisy(s->parts[i].measurement))
            return true;
    return false;
}

/* How many answers one draw may have: one for each group; or for one group all quantiles, rings or buckets; or, if every bucket is
 * noisy, the buckets of all groups. */
static size_t answers_of(const sc_noisy *noisy, size_t groups)
{
    const sc_statistics *statistics = &noisy->statement->statistics;
    const size_t cells =
        noisy->cell_capacity * (has_noisy_bars(noisy->statement) ? groups : 1);
    size_t most = groups > cells ? groups : cells;
    if (noisy->together * groups > most)
        most = noisy->together * groups;
    for (size_t i = 0; i < statistics->count; i++)
        if (statistics->list[i].count > most)
            most = statistics->list[i].count;
    return most;
}

/* How many counts of the rows of a group are drawn together, at most. */
static size_t together_of(const sc_planned_statement *s)
{
    size_t most = 0;
    for (size_t i = 0; i < s->statistics.count; i++) {
        const size_t numbers = sc_statistic_numbers(&s->statistics, i);
        if (sc_statistic_is_cell(&s->statistics.list[i]) && numbers > most)
            most = numbers;
    }
    return most;
}

static scrim_status reserve_groups(sc_noisy *noisy, size_t groups, scrim_error *error)
{
    noisy->cell_capacity = cells_of(noisy->statement);
    noisy->together = together_of(noisy->statement);
    const size_t answers = answers_of(noisy, groups);
    noisy->capacity = groups;
    noisy->cells = sc_allocate(noisy->cell_capacity, sizeof *noisy->cells);
    noisy->kept = sc_allocate(groups, sizeof *noisy->kept);
    noisy->keys = sc_allocate(groups, sizeof *noisy->keys);
    noisy->cell_keys =
        sc_allocate(noisy->together > 0 ? answers : 0, sizeof *noisy->cell_keys);
    noisy->counts = sc_allocate(groups, sizeof *noisy->counts);
    noisy->sums = sc_allocate(answers, sizeof *noisy->sums);
    noisy->draw.capacity = answers;
    noisy->draw.values = sc_allocate(answers, sizeof *noisy->draw.values);
    noisy->draw.marks = sc_allocate(answers, sizeof *noisy->draw.marks);
    return noisy->kept == NULL || noisy->keys == NULL || noisy->counts == NULL ||
                   noisy->sums == NULL || noisy->draw.values == NULL ||
                   noisy->draw.marks == NULL || noisy->cells == NULL ||
                   noisy->cell_keys == NULL
               ? sc_no_memory(error, "the numbers of a query")
               : SCRIM_OK;
}

static scrim_status reserve_rows(sc_noisy *noisy, size_t rows, scrim_error *error)
{
    size_t count, histograms;
    if (!sc_size_mul(rows, number_count(noisy), &count) ||
        !sc_size_mul(rows, histogram_count(noisy), &histograms))
        return sc_no_memory(error, "the numbers of a query");
    noisy->rows = sc_allocate(rows, sizeof *noisy->rows);
    noisy->numbers = sc_allocate(count, sizeof *noisy->numbers);
    noisy->histograms = sc_allocate(histograms, sizeof *noisy->histograms);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    noisy->bars = sc_allocate(histograms, sizeof *noisy->bars);
    return noisy->rows == NULL || noisy->numbers == NULL || noisy->histograms == NULL ||
                   noisy->bars == NULL
               ? sc_no_memory(error, "the numbers of a query")
               : SCRIM_OK;
}

scrim_status sc_noisy_init(sc_noisy *noisy, const sc_planned_statement *statement,
                           size_t first_part, scrim_error *error)
{
    *noisy = (sc_noisy){.statement = statement,
                        .known_keys = statement->known,
                        .known_count = statement->known_count,
                        .first_part = first_part};
    sc_arena_init(&noisy->key_texts);
    if (statement->keys_kind == SC_PLAN_DISCOVERED)
        return SCRIM_OK;
    const size_t groups =
        statement->keys_kind == SC_PLAN_NO_KEYS ? 1 : statement->key_count;
    scrim_status status = reserve_groups(noisy, groups, error);
    if (status == SCRIM_OK)
        status = reserve_rows(noisy, groups, error);
    return status;
}

/* Memory that only drawing needs. */
static void clear_scratch(sc_noisy *noisy)
{
    const size_t groups = noisy->capacity;
    sc_free_wiped(noisy->cells, noisy->cell_capacity * sizeof *noisy->cells);
    sc_free_wiped(noisy->kept, groups * sizeof *noisy->kept);
    sc_free_wiped(noisy->keys, groups * sizeof *noisy->keys);
    sc_free_wiped(noisy->cell_keys, noisy->together > 0
                                        ? noisy->draw.capacity * sizeof *noisy->cell_keys
                                        : 0);
    sc_free_wiped(noisy->counts, groups * sizeof *noisy->counts);
    sc_free_wiped(noisy->sums, noisy->draw.capacity * sizeof *noisy->sums);
    sc_free_wiped(noisy->draw.values, noisy->draw.capacity * sizeof *noisy->draw.values);
    sc_free_wiped(noisy->draw.marks, noisy->draw.capacity * sizeof *noisy->draw.marks);
    sc_known_groups_clear(&noisy->known);
    noisy->cells = noisy->counts = NULL;
    noisy->kept = NULL;
    noisy->keys = noisy->cell_keys = NULL;
    noisy->sums = NULL;
    noisy->draw = (sc_draw){.values = NULL};
    noisy->capacity = noisy->cell_capacity = 0;
}

bool sc_noisy_settle(sc_noisy *noisy, sc_arena *key_texts)
{
    for (size_t i = 0; i < noisy->row_count; i++) {
        sc_text *key = &noisy->rows[i].key;
        key->start = sc_arena_copy(key_texts, key->start, key->bytes);
        if (key->start == NULL)
            return false;
    }
    clear_scratch(noisy);
    return true;
}

void sc_noisy_clear(sc_noisy *noisy)
{
    for (size_t i = 0; i < noisy->part_count; i++)
        sc_noisy_clear(&noisy->parts[i]);
    sc_free(noisy->parts);
    sc_arena_clear(&noisy->key_texts);
    clear_scratch(noisy);
    if (noisy->numbers != NULL)
        sc_wipe(noisy->numbers,
                noisy->row_count * number_count(noisy) * sizeof *noisy->numbers);
    for (size_t i = 0;
         noisy->bars != NULL && i < noisy->row_count * histogram_count(noisy); i++)
        sc_free(noisy->bars[i]);
    sc_free(noisy->bars);
    sc_free(noisy->histograms);
    sc_free(noisy->numbers);
    sc_free(noisy->rows);
    *noisy = (sc_noisy){.statement = NULL};
}

/* Keys. */

static void put_rows(sc_noisy *noisy, const sc_groups *groups)
{
    for (size_t i = 0; i < noisy->row_count; i++) {
        noisy->keys[i] = groups->groups[noisy->kept[i]].key;
        noisy->rows[i] =
            (sc_record_row){noisy->keys[i], noisy->numbers + i * number_count(noisy),
                            noisy->histograms + i * histogram_count(noisy)};
    }
}

/* Some selections show their noisy counts. If the query asks for just those counts, they are taken, and need no further draw. */
static void put_shown_units(sc_noisy *noisy, size_t part)
{
    const sc_planned_statement *s = noisy->statement;
    if (noisy->row_count == 0)
        return;
    for (size_t i = 0; i < s->statistics.count; i++) {
        const sc_group_statistic *statistic = &s->statistics.list[i];
        bool is_drawn = !sc_statistic_is_units(statistic);
        for (size_t k = 0; k < s->part_count; k++)
            is_drawn |= k != part && s->parts[k].statistic == i;
        for (size_t r = 0; !is_drawn && r < noisy->row_count; r++)
            noisy->numbers[r * number_count(noisy) + statistic->first] =
                noisy->draw.values[noisy->kept[r]];
    }
}

static bool is_known(const sc_noisy *noisy, size_t group)
{
    return noisy->known.is_known != NULL && noisy->known.is_known[group];
}

/* Does the selection draw for this group? A selection that shows its counts draws for all groups, others only for groups whose keys
 * are not known. */
static bool is_drawn(const sc_noisy *noisy, size_t group)
{
    return sc_plan_select_shows(noisy->statement) || !is_known(noisy, group);
}

/* Keeps the groups that the selection has chosen, and all known ones. */
static void keep_groups(sc_noisy *noisy, size_t count)
{
    for (size_t i = 0, drawn = 0; i < count; i++) {
        const bool has_draw = is_drawn(noisy, i);
        const sc_mark mark = has_draw ? noisy->draw.marks[drawn] : SC_MARK_BELOW;
        if (is_known(noisy, i) || mark == SC_MARK_ABOVE_VALUE ||
            (mark == SC_MARK_VALUE && noisy->draw.values[drawn] != 0))
            noisy->kept[noisy->row_count++] = i;
        drawn += has_draw;
    }
}

static scrim_status select_keys(sc_noisy *noisy, sc_passage *passage, size_t part,
                                const sc_groups *groups, scrim_error *error)
{
    scrim_status status = reserve_groups(noisy, groups->count, error);
    if (status != SCRIM_OK)
        return status;
    size_t asked = 0;
    for (size_t i = 0; i < groups->count; i++)
        if (is_drawn(noisy, i)) {
            noisy->counts[asked] = (int64_t)groups->groups[i].units;
            noisy->keys[asked++] = groups->groups[i].key;
        }
    const sc_private_input input = {.values = noisy->counts,
                                    .count = asked,
                                    .keys = noisy->keys,
                                    .is_public = sc_plan_select_shows(noisy->statement)
                                                     ? noisy->known.is_known
                                                     : NULL};
    status = sc_passage_draw(passage, noisy->first_part + part,
                             noisy->statement->parts[part].measurement, &input,
                             &noisy->draw, error);
    if (status == SCRIM_OK)
        keep_groups(noisy, groups->count);
    if (status == SCRIM_OK)
        status = reserve_rows(noisy, noisy->row_count, error);
    if (status == SCRIM_OK) {
        put_rows(noisy, groups);
        put_shown_units(noisy, part);
    }
    return status;
}

/* Public keys: all groups become rows. */
static scrim_status take_all(sc_noisy *noisy, const sc_groups *groups, scrim_error *error)
{
    if (groups->count != noisy->capacity)
        return sc_fail(error, SCRIM_E_INTERNAL, "public keys are not all there");
    noisy->row_count = groups->count;
    for (size_t i = 0; i < groups->count; i++)
        noisy->kept[i] = i;
    put_rows(noisy, groups);
    return SCRIM_OK;
}

/* Numbers. */

static sc_int128 exact_number(const sc_noisy *noisy, const sc_group_statistic *statistic,
                              const sc_group *group)
{
    const sc_group_value *values = noisy->statement->statistics.groups;
    const bool is_of_rows = statistic->value == SC_STATISTIC_NONE;
    if (group->rows == 0)
        return 0; /* a known key that nobody has is a group without arrays */
    const sc_int128 rows =
        (sc_int128)(is_of_rows ? group->rows : group->present[statistic->value]);
    switch (statistic->kind) {
    case SC_STATISTIC_UNITS:
        return is_of_rows                           ? (sc_int128)group->units
               : values[statistic->value].has_total ? group->totals[statistic->value]
                                                    : rows;
    case SC_STATISTIC_SUM:
        return group->sums[statistic->value] +
               rows * ((sc_int128)values[statistic->value].centre - statistic->centre);
    case SC_STATISTIC_TOTAL:
        return group->totals[statistic->value];
    case SC_STATISTIC_SQUARES:
        return group->squares[statistic->value] - rows * statistic->offset;
    case SC_STATISTIC_MISSING:
        return (sc_int128)group->rows - rows;
    case SC_STATISTIC_VALUES:
        return rows == 0 ? 0
                         : (sc_int128)sc_kept_different(group->lists[statistic->value],
                                                        (size_t)rows);
    case SC_STATISTIC_ROWS:
    case SC_STATISTIC_PRESENT:
    case SC_STATISTIC_DISJOINT:
    case SC_STATISTIC_QUANTILES:
    case SC_STATISTIC_AROUND:
    case SC_STATISTIC_BARS:
        break;
    }
    return rows;
}

/* Where drawn numbers go: `each` numbers in a row, one after another; the next row begins `stride` numbers later. */
typedef struct places {
    sc_int128 *first;
    size_t each, stride;
} places;

/* Draws the first `count` of noisy->sums, in chunks of at most domain.count_max. The noise of
 * each number is independent, so chunks have the same distribution as a single draw. */
static scrim_status draw_sums(sc_noisy *noisy, sc_passage *passage, size_t part,
                              const sc_text *keys, size_t count, const places *out,
                              scrim_error *error)
{
    const scrim_measurement *measurement = noisy->statement->parts[part].measurement;
    const size_t most = measurement->domain.count_max;
    scrim_status status = SCRIM_OK;
    for (size_t from = 0, some; status == SCRIM_OK && from < count; from += some) {
        some = count - from < most ? count - from : most;
        const sc_private_input input = {.wide = noisy->sums + from,
                                        .count = some,
                                        .keys = keys == NULL ? NULL : keys + from};
        status = sc_passage_draw(passage, noisy->first_part + part, measurement, &input,
                                 &noisy->draw, error);
        for (size_t i = 0; status == SCRIM_OK && i < some; i++)
            out->first[(from + i) / out->each * out->stride + (from + i) % out->each] =
                noisy->draw.marks[i] == SC_MARK_NONE ? SC_RECORD_NO_NUMBER
                                                     : noisy->draw.values[i];
    }
    return status;
}

/* One number of all groups. */
static scrim_status draw_number(sc_noisy *noisy, sc_passage *passage, size_t part,
                                const sc_groups *groups, scrim_error *error)
{
    const sc_drawn_part *own = &noisy->statement->parts[part];
    const sc_group_statistic *statistic =
        &noisy->statement->statistics.list[own->statistic];
    const bool is_discovered = noisy->statement->keys_kind == SC_PLAN_DISCOVERED;
    for (size_t i = 0; i < noisy->row_count; i++)
        noisy->sums[i] = exact_number(noisy, statistic, &groups->groups[noisy->kept[i]]);
    return draw_sums(
        noisy, passage, part, is_discovered ? noisy->keys : NULL, noisy->row_count,
        &(places){noisy->numbers + statistic->first, 1, number_count(noisy)}, error);
}

/* All cells of all groups in one draw, as they are charged: one unit may leave one cell and enter another. */
static scrim_status draw_cells(sc_noisy *noisy, sc_passage *passage, size_t part,
                               const sc_groups *groups, scrim_error *error)
{
    const sc_planned_statement *s = noisy->statement;
    const sc_group_statistic *first = &s->statistics.list[s->parts[part].statistic];
    const size_t each = sc_statistic_numbers(&s->statistics, s->parts[part].statistic);
    const bool is_discovered = s->keys_kind == SC_PLAN_DISCOVERED;
    for (size_t i = 0; i < each * noisy->row_count; i++) {
        const sc_group *group = &groups->groups[noisy->kept[i / each]];
        noisy->sums[i] = exact_number(noisy, first + i % each, group);
        noisy->cell_keys[i] = noisy->keys[i / each];
    }
    return draw_sums(noisy, passage, part, is_discovered ? noisy->cell_keys : NULL,
                     each * noisy->row_count,
                     &(places){noisy->numbers + first->first, each, number_count(noisy)},
                     error);
}

/* Quantiles. */

/* How many rows of a group have a value. */
static size_t present_of(const sc_group *group, size_t value)
{
    return group->rows == 0 ? 0 : (size_t)group->present[value];
}

static scrim_status draw_quantiles(sc_noisy *noisy, sc_passage *passage, size_t part,
                                   const sc_group *group, scrim_error *error)
{
    const sc_drawn_part *own = &noisy->statement->parts[part];
    const int64_t none = 0;
    const size_t value = noisy->statement->statistics.list[own->statistic].value;
    const size_t count = present_of(group, value);
    const sc_private_input input = {.values = count == 0 ? &none : group->lists[value],
                                    .count = count};
    return sc_passage_draw(passage, noisy->first_part + part, own->measurement, &input,
                           &noisy->draw, error);
}

/* Counts the rows of a group in the rings about its quantiles, which were drawn before. Lists are in ascending order; a group without
 * rows has no list. */
static size_t count_rings(const sc_noisy *noisy, const sc_group_statistic *statistic,
                          size_t row, const sc_group *group)
{
    const sc_statistics *statistics = &noisy->statement->statistics;
    const sc_group_value *value = &statistics->groups[statistic->value];
    const sc_group_statistic *quantiles = statistic - 1;
    int64_t ends[SC_RINGS_MOST + 1];
    const size_t rings =
        sc_rings_of(value->low, value->high,
                    noisy->numbers + row * number_count(noisy) + quantiles->first,
                    quantiles->count, ends);
    sc_rings_count(ends, rings, group->rows == 0 ? NULL : group->lists[statistic->value],
                   present_of(group, statistic->value), noisy->sums);
    return rings;
}

/* Group by group, since each has rings of its own. A group may have fewer rings than there is room for; the rest of its numbers
 * stay 0. */
static scrim_status draw_around(sc_noisy *noisy, sc_passage *passage, size_t part,
                                const sc_groups *groups, scrim_error *error)
{
    const sc_planned_statement *s = noisy->statement;
    const sc_group_statistic *statistic = &s->statistics.list[s->parts[part].statistic];
    scrim_status status = SCRIM_OK;
    for (size_t row = 0; status == SCRIM_OK && row < noisy->row_count; row++) {
        const size_t rings =
            count_rings(noisy, statistic, row, &groups->groups[noisy->kept[row]]);
        sc_int128 *numbers =
            noisy->numbers + row * number_count(noisy) + statistic->first;
        status =
            draw_sums(noisy, passage, part, NULL, rings, &(places){numbers, 1, 1}, error);
    }
    return status;
}

/* Histograms. */

/* Counts the rows of each bucket: from counts that the pass has made, or from a list of values. */
static void count_cells(sc_noisy *noisy, const sc_bar_grid *grid, const sc_group *group,
                        size_t value)
{
    const int64_t counted = noisy->counted == NULL ? 0 : noisy->counted[value];
    memset(noisy->cells, 0, grid->count * sizeof *noisy->cells);
    if (group->rows == 0)
        return;
    if (counted > 0) {
        const sc_bar_grid from = sc_bar_grid_of(grid->low, grid->high, counted);
        sc_plan_bars_gather(&from, group->bars[value], grid, noisy->cells);
        return;
    }
    for (uint64_t i = 0; i < group->present[value]; i++)
        noisy->cells[sc_bar_grid_place(grid, group->lists[value][i])]++;
}

/* Keeps the bars that are shown (above 0), and nothing else of the draw. */
static scrim_status keep_bars(sc_noisy *noisy, size_t place, scrim_error *error)
{
    const sc_draw *draw = &noisy->draw;
    size_t count = 0;
    for (size_t i = 0; i < draw->count; i++)
        count += draw->values[i] > 0;
    sc_drawn_bar *bars = sc_allocate(count, sizeof *bars);
    if (bars == NULL)
        return sc_no_memory(error, "the numbers of a query");
    noisy->bars[place] = bars;
    noisy->histograms[place] = (sc_record_bars){bars, count};
    for (size_t i = 0, at = 0; i < draw->count; i++)
        if (draw->values[i] > 0)
            bars[at++] = (sc_drawn_bar){i, (int64_t)draw->values[i]};
    return SCRIM_OK;
}

/* The form of a record limits counts. Noise exceeds the limit with negligible probability. */
static int64_t clamped(sc_int128 count)
{
    const sc_int128 most = (sc_int128)SC_BARS_COUNT_MAX;
    return (int64_t)(count > most ? most : count < -most ? -most : count);
}

/* Keeps every bucket of a row, as it was drawn. */
static scrim_status keep_counts(sc_noisy *noisy, size_t place, const sc_int128 *counts,
                                size_t buckets, scrim_error *error)
{
    sc_drawn_bar *bars = sc_allocate(buckets, sizeof *bars);
    if (bars == NULL)
        return sc_no_memory(error, "the numbers of a query");
    noisy->bars[place] = bars;
    noisy->histograms[place] = (sc_record_bars){bars, buckets};
    for (size_t i = 0; i < buckets; i++)
        bars[i] = (sc_drawn_bar){i, clamped(counts[i])};
    return SCRIM_OK;
}

/* Noisy buckets of all groups in one draw, as they are charged. */
static scrim_status draw_counts(sc_noisy *noisy, sc_passage *passage, size_t part,
                                const sc_groups *groups, scrim_error *error)
{
    const sc_planned_statement *s = noisy->statement;
    const sc_drawn_part *own = &s->parts[part];
    const sc_group_statistic *statistic = &s->statistics.list[own->statistic];
    const sc_bar_grid grid = sc_bar_view_grid(&s->statistics, own->statistic, own->width);
    const size_t buckets = (size_t)grid.count;
    for (size_t row = 0; row < noisy->row_count; row++) {
        count_cells(noisy, &grid, &groups->groups[noisy->kept[row]], statistic->value);
        for (size_t i = 0; i < buckets; i++)
            noisy->sums[row * buckets + i] = noisy->cells[i];
    }
    scrim_status status =
        draw_sums(noisy, passage, part, NULL, noisy->row_count * buckets,
                  &(places){noisy->sums, 1, 1}, error);
    for (size_t row = 0; status == SCRIM_OK && row < noisy->row_count; row++)
        status = keep_counts(noisy, row * histogram_count(noisy) + statistic->histogram,
                             noisy->sums + row * buckets, buckets, error);
    return status;
}

static scrim_status draw_bars(sc_noisy *noisy, sc_passage *passage, size_t part,
                              const sc_groups *groups, scrim_error *error)
{
    const sc_planned_statement *s = noisy->statement;
    const sc_drawn_part *own = &s->parts[part];
    const sc_group_statistic *statistic = &s->statistics.list[own->statistic];
    const sc_bar_grid grid = sc_bar_view_grid(&s->statistics, own->statistic, own->width);
    scrim_status status = SCRIM_OK;
    for (size_t row = 0; status == SCRIM_OK && row < noisy->row_count; row++) {
        const sc_group *group = &groups->groups[noisy->kept[row]];
        count_cells(noisy, &grid, group, statistic->value);
        const sc_private_input input = {.values = noisy->cells,
                                        .count = (size_t)grid.count};
        status = sc_passage_draw(passage, noisy->first_part + part, own->measurement,
                                 &input, &noisy->draw, error);
        if (status == SCRIM_OK)
            status = keep_bars(noisy, row * histogram_count(noisy) + statistic->histogram,
                               error);
    }
    return status;
}

/* Parts that are drawn group by group: histograms and quantiles. */
static scrim_status draw_by_group(sc_noisy *noisy, sc_passage *passage, size_t part,
                                  const sc_groups *groups, scrim_error *error)
{
    const sc_drawn_part *own = &noisy->statement->parts[part];
    const sc_group_statistic *statistic =
        &noisy->statement->statistics.list[own->statistic];
    scrim_status status = SCRIM_OK;
    if (statistic->kind == SC_STATISTIC_BARS && sc_bar_is_noisy(own->measurement))
        return draw_counts(noisy, passage, part, groups, error);
    if (statistic->kind == SC_STATISTIC_BARS)
        return draw_bars(noisy, passage, part, groups, error);
    for (size_t row = 0; status == SCRIM_OK && row < noisy->row_count; row++) {
        sc_int128 *numbers =
            noisy->numbers + row * number_count(noisy) + statistic->first;
        status = draw_quantiles(noisy, passage, part, &groups->groups[noisy->kept[row]],
                                error);
        for (size_t i = 0; status == SCRIM_OK && i < statistic->count; i++)
            numbers[i] = noisy->draw.values[i];
    }
    return status;
}

scrim_status sc_noisy_draw(sc_noisy *noisy, sc_passage *passage, const sc_groups *groups,
                           scrim_error *error)
{
    const sc_planned_statement *s = noisy->statement;
    scrim_status status = SCRIM_OK;
    if (s->keys_kind != SC_PLAN_DISCOVERED)
        status = take_all(noisy, groups, error);
    else if (noisy->known_count > 0) {
        status = sc_known_groups_init(&noisy->known, groups, noisy->known_keys,
                                      noisy->known_count, error);
        groups = &noisy->known.all;
    }
    for (size_t i = 0; status == SCRIM_OK && i < s->part_count; i++)
        if (s->parts[i].statistic == SC_STATISTIC_NONE)
            status = select_keys(noisy, passage, i, groups, error);
    for (size_t i = 0; status == SCRIM_OK && i < s->part_count; i++) {
        if (s->parts[i].statistic == SC_STATISTIC_NONE)
            continue;
        /* Quantiles come before the rings about them. */
        if (s->parts[i].is_apart)
            status = draw_by_group(noisy, passage, i, groups, error);
        else if (s->statistics.list[s->parts[i].statistic].kind == SC_STATISTIC_AROUND)
            status = draw_around(noisy, passage, i, groups, error);
        else if (sc_statistic_is_cell(&s->statistics.list[s->parts[i].statistic]))
            status = draw_cells(noisy, passage, i, groups, error);
        else
            status = draw_number(noisy, passage, i, groups, error);
    }
    return status;
}

scrim_status sc_noisy_draw_cut(sc_noisy *noisy, sc_passage *passage,
                               const uint64_t counts[SC_CUT_CELLS], scrim_error *error)
{
    const sc_planned_statement *s = noisy->statement;
    int64_t people[SC_CUT_CELLS];
    sc_mark marks[SC_CUT_CELLS];
    sc_draw draw = {.values = noisy->cut, .marks = marks, .capacity = SC_CUT_CELLS};
    if (s->cut_part.measurement == NULL)
        return SCRIM_OK;
    for (size_t i = 0; i < s->cut.count; i++)
        people[i] = (int64_t)counts[i];
    const sc_private_input input = {.values = people, .count = s->cut.count};
    const scrim_status status =
        sc_passage_draw(passage, noisy->first_part + s->part_count,
                        s->cut_part.measurement, &input, &draw, error);
    sc_wipe(people, sizeof people);
    return status;
}
