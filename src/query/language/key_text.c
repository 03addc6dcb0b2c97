#include "query/language/key_text.h"

#include "data/value/calendar.h"
#include "data/value/value.h"
#include "query/language/lookup.h"

#include <stdlib.h>

int64_t sc_rung_value(int64_t rung)
{
    static const int64_t digits[] = {1, 2, 5};
    const int64_t place = (rung < 0 ? -rung : rung) - 1;
    if (rung == 0)
        return 0;
    int64_t value = digits[place % 3];
    for (int64_t i = 0; i < place / 3; i++)
        value *= 10;
    return rung < 0 ? -value : value;
}

int64_t sc_rung_of(int64_t value)
{
    const int64_t distance = value < 0 ? -value : value;
    int64_t rung = 0;
    while (sc_rung_value(rung) < distance)
        rung++;
    return value < 0 ? -rung : rung;
}

int64_t sc_rung_last(int64_t rung)
{
    return rung >= 0 ? sc_rung_value(rung) : sc_rung_value(rung + 1) - 1;
}

static size_t put(sc_text text, char *out, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, out, capacity);
    sc_text_put(&sink, text);
    return sink.length;
}

size_t sc_key_text(const sc_typed *typed, int64_t value, char *text, size_t capacity)
{
    const sc_extent *extent = &typed->extent;
    if (value < extent->low)
        value = extent->low;
    if (value > extent->high)
        value = extent->high;
    /* A ladder of listed rungs, LADDER(x, 10, 20), shows each as the statement wrote it. */
    if (typed->type == SC_TYPE_TEXT ||
        (typed->type == SC_TYPE_RUNG && typed->texts != NULL))
        return put(typed->texts[value], text, capacity);
    if (typed->type == SC_TYPE_BOOL)
        return put(sc_text_of(value != 0 ? "true" : "false"), text, capacity);
    if (typed->type == SC_TYPE_DATE) {
        char day[SC_CALENDAR_TEXT_BYTES + 1];
        /* Dates are whole numbers of days within the calendar: sc_typing_check_dates. */
        sc_calendar_format(value * extent->step.numerator, day);
        return put(sc_text_of(day), text, capacity);
    }
    if (typed->type == SC_TYPE_TIMESTAMP) {
        char moment[SC_MOMENT_TEXT_BYTES];
        sc_moment_format(typed->zone, value * extent->step.numerator, moment);
        return put(sc_text_of(moment), text, capacity);
    }
    SC_OWN(sc_ratio, number);
    if (typed->type == SC_TYPE_RUNG)
        sc_extent_value(typed->rung, sc_rung_value(value), &number);
    else
        sc_extent_value(extent->step, value, &number);
    return sc_ratio_format(&number, text, capacity);
}

sc_text sc_typed_text(const sc_typed *typed, sc_text a, sc_text b,
                      char room[SC_TEXT_RESULT_BYTES])
{
    if (typed->operation == SC_OP_TRIM)
        return sc_text_trimmed(a, typed->times & 1, typed->times & 2);
    if (typed->operation == SC_OP_PART)
        return sc_text_part(a, typed->values[0], typed->values[1]);
    if (typed->operation == SC_OP_JOINED)
        return sc_text_joined(a, b, room);
    return sc_text_cased(a, typed->operation == SC_OP_UPPER, room);
}

static int by_bytes(const void *a, const void *b)
{
    return sc_text_compare(*(const sc_text *)a, *(const sc_text *)b);
}

static void sort(sc_text_list *list)
{
    size_t distinct = 0;
    qsort(list->texts, list->count, sizeof *list->texts, by_bytes);
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || !sc_text_equal(list->texts[i], list->texts[i - 1]))
            list->texts[distinct++] = list->texts[i];
    list->count = distinct;
}

static bool copy_list(const sc_text *texts, size_t count, sc_arena *arena,
                      sc_text_list *out)
{
    *out = (sc_text_list){sc_arena_allocate(arena, count, sizeof *out->texts), count};
    for (size_t i = 0; out->texts != NULL && i < count; i++)
        out->texts[i] = texts[i];
    return out->texts != NULL;
}

static bool image_of_column(const sc_column *column, sc_arena *arena, sc_text_list *out)
{
    *out = (sc_text_list){NULL, 0};
    if (!column->has_keys)
        return true;
    *out = (sc_text_list){sc_arena_allocate(arena, column->key_count, sizeof *out->texts),
                          column->key_count};
    for (size_t i = 0; out->texts != NULL && i < column->key_count; i++)
        out->texts[i] = column->keys[i].text;
    return out->texts != NULL;
}

/* A record keeps no cells, and so no list. */
static bool image_of_lookup(const sc_typed *typed, sc_arena *arena, sc_text_list *out)
{
    const sc_text *texts;
    const size_t count = sc_lookup_image(typed->lookup, &texts);
    *out = (sc_text_list){NULL, 0};
    if (count == 0)
        return true;
    *out = (sc_text_list){sc_arena_allocate(arena, count, sizeof *out->texts), 0};
    for (size_t i = 0; out->texts != NULL && i < count; i++)
        if (!sc_text_is_null(texts[i]))
            out->texts[out->count++] = texts[i];
    return out->texts != NULL;
}

/* A part of COALESCE, or of CASE: condition, value, condition, value, ..., and the value after ELSE. */
static bool is_value(const sc_typed *typed, size_t part)
{
    return typed->operation == SC_OP_COALESCE || part % 2 == 1 ||
           part + 1 == typed->count;
}

/* CASE and COALESCE: the union of the lists of all values. */
static bool image_of_choice(const sc_typed *typed, const sc_schema *schema,
                            sc_arena *arena, sc_text_list *out)
{
    sc_text_list lists[2] = {{NULL, 0}, {NULL, 0}};
    if (!copy_list(NULL, 0, arena, out))
        return false;
    for (size_t i = 0; i < typed->count; i++) {
        if (!is_value(typed, i))
            continue;
        lists[0] = *out;
        if (!sc_text_image(typed->parts[i], schema, arena, &lists[1]))
            return false;
        if (lists[1].texts == NULL) {
            *out = lists[1];
            return true;
        }
        const size_t count = lists[0].count + lists[1].count;
        *out = (sc_text_list){sc_arena_allocate(arena, count, sizeof *out->texts), count};
        if (out->texts == NULL)
            return false;
        for (size_t j = 0; j < count; j++)
            out->texts[j] = j < lists[0].count ? lists[0].texts[j]
                                               : lists[1].texts[j - lists[0].count];
    }
    return true;
}

/* The function of each text, or of each pair of them. */
static bool image_of_function(const sc_typed *typed, const sc_schema *schema,
                              sc_arena *arena, sc_text_list *out)
{
    sc_text empty = {"", 0};
    sc_text_list a,
        b = {&empty, 1}; /* a function of one text: pairs with one empty text */
    char *room = sc_arena_allocate(arena, SC_TEXT_RESULT_BYTES, 1);
    *out = (sc_text_list){NULL, 0};
    if (room == NULL || !sc_text_image(typed->parts[0], schema, arena, &a) ||
        (typed->count > 1 && !sc_text_image(typed->parts[1], schema, arena, &b)))
        return false;
    if (a.texts == NULL || b.texts == NULL ||
        (b.count > 1 && a.count > SC_TEXT_IMAGE / b.count))
        return true;
    sc_text *texts = sc_arena_allocate(arena, a.count * b.count, sizeof *texts);
    if (texts == NULL)
        return false;
    for (size_t i = 0; i < a.count * b.count; i++) {
        const sc_text text =
            sc_typed_text(typed, a.texts[i / b.count], b.texts[i % b.count], room);
        const char *copy = sc_arena_copy(arena, text.start, text.bytes);
        if (copy == NULL)
            return false;
        texts[i] = (sc_text){copy, text.bytes};
    }
    *out = (sc_text_list){texts, a.count * b.count};
    return true;
}

bool sc_text_image(const sc_typed *typed, const sc_schema *schema, sc_arena *arena,
                   sc_text_list *out)
{
    bool is_done;
    if (typed->operation == SC_OP_NULL)
        is_done = copy_list(NULL, 0, arena, out);
    else if (typed->operation == SC_OP_TEXT_OF)
        is_done =
            copy_list(typed->parts[0]->texts, typed->parts[0]->text_count, arena, out);
    else if (typed->operation == SC_OP_LOOKUP)
        is_done = image_of_lookup(typed, arena, out);
    else if (typed->operation == SC_OP_COLUMN)
        is_done = image_of_column(&schema->columns[typed->column], arena, out);
    else if (typed->operation == SC_OP_CASE || typed->operation == SC_OP_COALESCE)
        is_done = image_of_choice(typed, schema, arena, out);
    else
        is_done = image_of_function(typed, schema, arena, out);
    if (is_done && out->texts != NULL)
        sort(out);
    return is_done;
}
