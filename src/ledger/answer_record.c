#include "ledger/answer_record.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Writing. */

static const char *prefix_of(sc_mark mark)
{
    switch (mark) {
    case SC_MARK_INDEX:
        return "#";
    case SC_MARK_BELOW:
        return "below";
    case SC_MARK_ABOVE:
        return "above";
    case SC_MARK_ABOVE_VALUE:
        return "above=";
    case SC_MARK_NONE:
        return "none";
    case SC_MARK_VALUE:
        break;
    }
    return "";
}

static bool has_number(sc_mark mark)
{
    return mark != SC_MARK_BELOW && mark != SC_MARK_ABOVE && mark != SC_MARK_NONE;
}

/* "#17 " */
#define PLACE_BYTES (SC_INT128_BYTES + 2)

static void put_place(sc_text_sink *sink, uint64_t place)
{
    char text[SC_INT128_BYTES];
    sc_int128_format((sc_int128)place, text);
    sc_text_put(sink, sc_text_of("#"));
    sc_text_put(sink, sc_text_of(text));
    sc_text_put(sink, sc_text_of(" "));
}

char *sc_answer_line(const scrim_answer *answer)
{
    size_t bytes = sizeof " halted";
    for (size_t i = 0; i < answer->count; i++)
        bytes += strlen(answer->texts[i]) +
                 sizeof " above=" + (answer->places != NULL ? PLACE_BYTES : 0);
    char *line = sc_allocate(bytes, 1);
    if (line == NULL)
        return NULL;
    sc_text_sink sink;
    sc_text_sink_init(&sink, line, bytes);
    for (size_t i = 0; i < answer->count; i++) {
        const sc_mark mark = answer->marks[i];
        sc_text_put(&sink, sc_text_of(i > 0 ? " " : ""));
        if (answer->places != NULL)
            put_place(&sink, answer->places[i]);
        sc_text_put(&sink, sc_text_of(prefix_of(mark)));
        if (has_number(mark))
            sc_text_put(&sink, sc_text_of(answer->texts[i]));
    }
    if (answer->has_halted)
        sc_text_put(&sink, sc_text_of(answer->count > 0 ? " halted" : "halted"));
    return line;
}

/* Reading. */

/* The answer as it is read, as if it had been drawn. */
typedef struct reading {
    const scrim_measurement *m;
    sc_draw draw;
} reading;

static bool begins_with(sc_text word, const char *prefix, sc_text *rest)
{
    const size_t bytes = strlen(prefix);
    if (word.bytes < bytes || memcmp(word.start, prefix, bytes) != 0)
        return false;
    *rest = (sc_text){word.start + bytes, word.bytes - bytes};
    return true;
}

/* The number of steps that a number in the input's unit is. */
static bool steps_of(const scrim_measurement *m, sc_text text, bool is_value,
                     sc_int128 *out)
{
    SC_OWN(sc_ratio, value, step);
    SC_OWN(sc_integer, whole);
    bool fits = sc_ratio_parse(text, &value, NULL) == SCRIM_OK;
    if (fits && is_value) {
        sc_grid_step(&m->domain.grid, &step);
        sc_ratio_div(&value, &value, &step);
    }
    if (fits)
        sc_ratio_numerator(&value, &whole);
    return fits && sc_ratio_is_integer(&value) && sc_integer_get_int128(&whole, out);
}

static bool take_word(reading *r, sc_text word)
{
    sc_mark mark = SC_MARK_VALUE;
    sc_int128 value = 0;
    sc_text number = word;
    if (r->draw.has_halted || r->draw.count == r->draw.capacity)
        return false;
    if (sc_text_is(word, "halted"))
        return r->draw.has_halted = true;
    if (sc_text_is(word, "below"))
        mark = SC_MARK_BELOW;
    else if (sc_text_is(word, "above"))
        mark = SC_MARK_ABOVE;
    else if (sc_text_is(word, "none"))
        mark = SC_MARK_NONE;
    else if (begins_with(word, "above=", &number))
        mark = SC_MARK_ABOVE_VALUE;
    else if (begins_with(word, "#", &number))
        mark = SC_MARK_INDEX;
    if (has_number(mark) && !steps_of(r->m, number, mark != SC_MARK_INDEX, &value))
        return false;
    r->draw.marks[r->draw.count] = mark;
    r->draw.values[r->draw.count++] = mark == SC_MARK_ABOVE ? 1 : value;
    return true;
}

/* "3,11=-4": which of those asked were above. */
static bool take_above(reading *r, sc_text list)
{
    sc_text item, rest = list;
    uint64_t last = 0;
    while (rest.bytes > 0) {
        sc_text number, value;
        uint64_t place = 0;
        if (!sc_text_split(rest, ',', &item, &rest)) {
            item = rest;
            rest = (sc_text){NULL, 0};
        } else if (rest.bytes == 0) {
            return false;
        }
        const bool is_numeric = sc_text_split(item, '=', &number, &value);
        if (!is_numeric)
            number = item;
        if (!sc_text_uint64(number, &place) || place <= last || place > r->draw.count)
            return false;
        last = place;
        r->draw.marks[place - 1] = is_numeric ? SC_MARK_ABOVE_VALUE : SC_MARK_ABOVE;
        r->draw.values[place - 1] = 1;
        if (is_numeric && !steps_of(r->m, value, false, &r->draw.values[place - 1]))
            return false;
    }
    return true;
}

static scrim_status get_room(reading *r, uint64_t count, scrim_error *error)
{
    r->draw.capacity = count;
    r->draw.values = sc_allocate(count, sizeof *r->draw.values);
    r->draw.marks = sc_allocate(count, sizeof *r->draw.marks);
    return r->draw.values == NULL || r->draw.marks == NULL
               ? sc_no_memory(error, "an answer")
               : SCRIM_OK;
}

static scrim_status fail_record(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "record",
                       "the record is not an answer of this measurement");
}

/* Queries of a run that can be listed again: the record is short, the list is not. */
#define RUN_MAX (1 << 24)

/* All of them below, but for those in the list. */
static scrim_status read_run(reading *r, sc_text asked, sc_text rest, scrim_error *error)
{
    sc_text word, list;
    uint64_t count = 0;
    if (!sc_text_uint64(asked, &count) || !sc_text_word(&rest, &word) ||
        !begins_with(word, "above=", &list))
        return fail_record(error);
    if (count > RUN_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the run was asked more than %d queries, too many to be listed",
                       RUN_MAX);
    scrim_status status = get_room(r, count, error);
    if (status != SCRIM_OK)
        return status;
    r->draw.count = count;
    for (uint64_t i = 0; i < count; i++)
        r->draw.marks[i] = SC_MARK_BELOW;
    if (!take_above(r, list))
        return fail_record(error);
    if (sc_text_word(&rest, &word)) {
        r->draw.has_halted = true;
        if (!sc_text_is(word, "halted") || sc_text_word(&rest, &word))
            return fail_record(error);
    }
    return SCRIM_OK;
}

/* Bars: a place and a count above 0, the places in order and places of this measurement. */
static bool is_histogram(const reading *r)
{
    const sc_draw *d = &r->draw;
    char text[1];
    if (d->count % 2 != 0 || d->has_halted)
        return false;
    for (size_t i = 0; i < d->count; i += 2)
        if (d->marks[i] != SC_MARK_INDEX || d->marks[i + 1] != SC_MARK_VALUE ||
            d->values[i] < 0 || d->values[i] > INT64_MAX || d->values[i + 1] <= 0 ||
            (i > 0 && d->values[i] <= d->values[i - 2]) ||
            r->m->mechanism->bar_label(r->m, (uint64_t)d->values[i], text, 1) == 0)
            return false;
    return true;
}

static scrim_status read_words(reading *r, sc_text line, scrim_error *error)
{
    sc_text word, asked, rest = line;
    uint64_t words = 0;
    if (sc_text_word(&rest, &word) && begins_with(word, "asked=", &asked))
        return read_run(r, asked, rest, error);
    for (rest = line; sc_text_word(&rest, &word);)
        words++;
    scrim_status status = get_room(r, words, error);
    for (rest = line; status == SCRIM_OK && sc_text_word(&rest, &word);)
        if (!take_word(r, word))
            status = fail_record(error);
    return status;
}

scrim_status scrim_answer_parse(const scrim_measurement *measurement,
                                const char *recorded, uint64_t entry, scrim_answer **out,
                                scrim_error *error)
{
    SC_REQUIRE(error, "measurement recorded out", measurement, recorded, out);
    reading r = {.m = measurement};
    scrim_status status = read_words(&r, sc_text_of(recorded), error);
    if (status == SCRIM_OK && measurement->mechanism->bar_label != NULL &&
        !is_histogram(&r))
        status = fail_record(error);
    if (status == SCRIM_OK)
        status = sc_answer_new(measurement, &r.draw, entry, out, error);
    sc_free(r.draw.values);
    sc_free(r.draw.marks);
    return status;
}

static const char word[] = "compare release=";
static const char colon[] = " : ";

/* Two numbers of 20 digits, and the words. */
#define WORDS_BYTES 96

char *sc_measured_line_write(uint64_t release, uint64_t rows, const char *measurement)
{
    const size_t bytes = strlen(measurement) + WORDS_BYTES;
    char *line = sc_allocate(bytes, 1);
    if (line != NULL)
        snprintf(line, bytes, "%s%" PRIu64 " rows=%" PRIu64 "%s%s", word, release, rows,
                 colon, measurement);
    return line;
}

const char *sc_measured_line(const char *line)
{
    const char *found =
        strncmp(line, word, sizeof word - 1) == 0 ? strstr(line, colon) : NULL;
    return found == NULL ? line : found + sizeof colon - 1;
}
