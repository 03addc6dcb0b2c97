#include "query/answer/cut_words.h"

#include "data/value/unit_word.h"
#include "mechanism/catalogue.h"
#include "query/estimate/cut_reading.h"
#include "query/plan/auto_bounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Shares above it, of SC_LADDER_WHOLE, are a caution. */
#define MUCH 200
#define HALF 5000
/* Noise cannot take a count of people as far. */
#define MOST_PEOPLE ((sc_int128)1 << 60)

#define NUMBER_BYTES 24

/* Reading. */

static int64_t people_of(sc_int128 count)
{
    return (int64_t)(count > MOST_PEOPLE    ? MOST_PEOPLE
                     : count < -MOST_PEOPLE ? -MOST_PEOPLE
                                            : count);
}

static bool parse_noise(sc_text line, sc_arena *arena, scrim_measurement **out)
{
    const char *copy = sc_arena_copy(arena, line.start, line.bytes);
    *out = NULL;
    if (copy != NULL &&
        sc_catalogue_parse(sc_text_of(copy), SC_PURPOSE_LAW, out, NULL) == SCRIM_OK &&
        sc_noise_law(*out) == NULL) {
        scrim_measurement_free(*out);
        *out = NULL;
    }
    return copy != NULL;
}

static sc_cut_reading read_cells(const sc_record_cut *cut, const scrim_measurement *noise,
                                 const sc_ratio *confidence, int64_t *people)
{
    static const int64_t ends[SC_CUT_CELLS];
    sc_ladder_reading ladder;
    sc_reading_init(&ladder, ends, cut->count, 0, (sc_value_step){1, 1}, noise,
                    confidence);
    for (size_t i = 0; i < cut->count; i++)
        ladder.counts[i] = people_of(cut->people[i]);
    *people = sc_reading_people(&ladder);
    return sc_cut_read(&ladder, cut->from, 1);
}

/* The ladder by which a question found its bounds counts people by their rows. */
static sc_cut_reading read_ladder(const sc_record_statement *ladder, uint64_t total,
                                  const scrim_measurement *noise,
                                  const sc_ratio *confidence, int64_t *people)
{
    sc_int128 counts[SC_LADDER_MOST];
    for (size_t i = 0; i < ladder->row_count; i++)
        counts[i] = people_of(ladder->rows[i].numbers[0]);
    return sc_auto_cut(noise, confidence, counts, ladder->row_count, total, people);
}

static bool counts_all_rows(const sc_group_statistic *t)
{
    return t->kind == SC_STATISTIC_ROWS && t->value == SC_STATISTIC_NONE;
}

/* The rows that were kept, where all of them are counted, as one number or as two cells; else at least one of each
 * person. */
static int64_t kept_rows(const sc_record_statement *s, const sc_statistics *statistics,
                         int64_t people, bool *is_counted)
{
    sc_int128 sum = 0;
    *is_counted = false;
    for (size_t i = 0; i < statistics->count && s->keys_kind != SC_PLAN_DISCOVERED; i++) {
        const sc_group_statistic *t = &statistics->list[i];
        /* Counts without common rows may leave some out. */
        if (!counts_all_rows(t) &&
            (!sc_statistic_is_cell(t) || t->kind == SC_STATISTIC_DISJOINT))
            continue;
        *is_counted = true;
        for (size_t k = 0; k < s->row_count; k++)
            if (s->rows[k].numbers[t->first] != SC_RECORD_NO_NUMBER)
                sum += people_of(s->rows[k].numbers[t->first]);
        if (counts_all_rows(t))
            break;
    }
    return *is_counted ? people_of(sum) : people;
}

/* Words. */

/* "0.80" of 80. */
static void put_percent(char out[NUMBER_BYTES], int share)
{
    snprintf(out, NUMBER_BYTES, "%d.%02d", share / 100, share % 100);
}

static const char *copy(sc_arena *arena, const char *text)
{
    return sc_arena_copy(arena, text, strlen(text));
}

/* Two digits are as many as the noise leaves. */
static uint64_t round_down(uint64_t number)
{
    uint64_t step = 1;
    while (number / step >= 100)
        step *= 10;
    return number / step * step;
}

typedef struct speaking {
    const char *units; /* "customers" */
    sc_cut_reading cut;
    bool has_totals, has_share; /* clamped totals; the share of rows is known */
    bool adds_up; /* the answer has counts or sums, which rows that are left out lower */
    bool tells_rows;
    int share_low, share_high; /* of rows */
} speaking;

/* The bound of rows holds as often as it says, and is wrong most where nothing was cut: it counts where the bound of people
 * agrees that somebody was. */
static bool is_rows_known(const speaking *s)
{
    return s->cut.rows_low > 0 && s->cut.people.low > 0;
}

/* An interval as wide as half of all people tells nothing. */
static bool is_unknown(const speaking *s)
{
    return !is_rows_known(s) && s->cut.people.high - s->cut.people.low >= HALF;
}

/* May nobody have been cut, as far as this answer tells? Records from before say what they said then. */
static bool may_be_none(const speaking *s)
{
    return s->tells_rows && s->cut.people.low == 0;
}

/* The numbers that people would read as a finding are then noise. */
static bool is_perhaps_none(const speaking *s)
{
    return may_be_none(s) && s->cut.people.high > MUCH;
}

/* Few people can have been cut, and few rows with them. */
static bool is_little(const speaking *s)
{
    return s->cut.people.high <= MUCH && s->share_high <= MUCH;
}

static const char *or_total(const speaking *s)
{
    return s->has_totals ? " or a total clamped" : "";
}

static const char *about(const speaking *s)
{
    return s->adds_up ? "totals may be too low" : "the answer is about the other rows";
}

static const char *say_unknown(const speaking *s, sc_arena *arena)
{
    char text[400];
    snprintf(text, sizeof text,
             "too few %s, or too low an epsilon, to tell how many had rows left out%s",
             s->units, or_total(s));
    return copy(arena, text);
}

/* Where nobody may have been cut the words do not say that somebody was. */
static const char *say_perhaps(const speaking *s, const scrim_result_cut *shares,
                               sc_arena *arena)
{
    char text[400];
    snprintf(text, sizeof text,
             "this answer cannot tell whether rows were left out%s (of at most %s %% of "
             "%s)",
             s->has_totals ? " or totals clamped" : "", shares->people_high, s->units);
    return copy(arena, text);
}

static const char *say_words(const speaking *s, const scrim_result_cut *shares,
                             sc_arena *arena)
{
    char text[300], rows[80] = "", share[40] = "";
    if (is_unknown(s))
        return say_unknown(s, arena);
    if (is_perhaps_none(s))
        return say_perhaps(s, shares, arena);
    if (s->has_share)
        snprintf(share, sizeof share, " (%s %%)", shares->rows_share_low);
    if (is_rows_known(s) && s->tells_rows)
        snprintf(rows, sizeof rows, ", at least %" PRIu64 " row%s%s",
                 round_down(s->cut.rows_low), s->cut.rows_low == 1 ? "" : "s", share);
    snprintf(text, sizeof text, "about %s %% of %s [%s, %s] had rows left out%s%s",
             shares->people, s->units, shares->people_low, shares->people_high,
             or_total(s), rows);
    return copy(arena, text);
}

/* Larger bounds help only where somebody was cut. */
#define ASK "ask with larger contribution bounds, such as max-total-rows"

static const char *say_caution(const speaking *s, const scrim_result_cut *shares,
                               sc_arena *arena)
{
    char text[400], share[NUMBER_BYTES], rows[80] = "";
    if (is_little(s))
        return "";
    if (is_unknown(s))
        return say_unknown(s, arena);
    if (may_be_none(s))
        return say_perhaps(s, shares, arena);
    put_percent(share, s->share_high);
    /* More says that the noise hides how many rows they have. */
    if (s->share_high <= HALF)
        snprintf(rows, sizeof rows, ", and with them perhaps %s %% of all rows or more",
                 share);
    snprintf(text, sizeof text, "up to %s %% of %s had rows left out%s%s: %s; " ASK,
             shares->people_high, s->units, or_total(s), rows, about(s));
    return copy(arena, text);
}

/* The part of a caution that the words do not say. */
static const char *say_advice(const speaking *s, sc_arena *arena)
{
    char text[400], share[NUMBER_BYTES], rows[80] = "";
    if (is_little(s) || is_unknown(s) || may_be_none(s))
        return "";
    put_percent(share, s->share_high);
    if (s->share_high <= HALF)
        snprintf(rows, sizeof rows,
                 "perhaps %s %% of all rows or more were left out: ", share);
    snprintf(text, sizeof text, "%s%s; " ASK, rows, about(s));
    return copy(arena, text);
}

static bool say_all(const speaking *s, sc_arena *arena, scrim_result_cut *out)
{
    char number[NUMBER_BYTES];
    const struct {
        const char **text;
        int share;
    } shares[] = {{&out->people, s->cut.people.share},
                  {&out->people_low, s->cut.people.low},
                  {&out->people_high, s->cut.people.high},
                  {&out->rows_share_low, s->share_low},
                  {&out->rows_share_high, s->share_high}};
    const struct {
        const char **text;
        uint64_t count;
    } counts[] = {{&out->rows_low, s->cut.rows_low}, {&out->rows_high, s->cut.rows_high}};
    bool is_done = true;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        put_percent(number, shares[i].share);
        *shares[i].text = copy(arena, number);
        is_done &= *shares[i].text != NULL;
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        snprintf(number, sizeof number, "%" PRIu64, counts[i].count);
        *counts[i].text = copy(arena, number);
        is_done &= *counts[i].text != NULL;
    }
    if (!s->has_share)
        out->rows_share_low = out->rows_share_high = "";
    if (is_done) {
        out->words = say_words(s, out, arena);
        out->caution = say_caution(s, out, arena);
        out->advice = say_advice(s, arena);
    }
    return is_done && out->words != NULL && out->caution != NULL && out->advice != NULL;
}

/* The ladder that found the bounds of a statement and tells how many people were cut. NULL: there is no such ladder. */
static const sc_record_statement *ladder_of(const sc_record *record,
                                            const sc_record_statement *s,
                                            const sc_query *query,
                                            const sc_statistics *statistics)
{
    const size_t place = s->found_by > 0 ? s->found_by : record->statement_count;
    const sc_record_statement *ladder = &record->statements[place - 1];
    return record->finds_bounds && s->cut.count == 0 && s->cut_of == 0 &&
                   ladder->part_count == 1 &&
                   sc_auto_tells_cut(query, statistics, &query->schema->bounds) &&
                   ladder->number_count == 1 && ladder->row_count <= SC_LADDER_MOST
               ? ladder
               : NULL;
}

bool sc_cut_words(const sc_cut_request *request, sc_arena *arena, scrim_result_cut *out,
                  bool *is_there)
{
    const sc_record_statement *s = request->statement;
    const sc_query *query = request->query;
    const sc_record_cut *cut =
        s->cut_of == 0 ? &s->cut : &request->record->statements[s->cut_of - 1].cut;
    const sc_record_statement *ladder =
        ladder_of(request->record, s, query, request->statistics);
    scrim_measurement *noise = NULL;
    speaking said = {.units = sc_unit_word(query->schema->unit, true),
                     .adds_up = sc_kept_adds_up(query)};
    int64_t people = 0;
    *is_there = false;
    if (ladder == NULL && cut->count == 0)
        return true;
    if (!parse_noise(ladder == NULL ? cut->measurement : ladder->measurements[0], arena,
                     &noise))
        return false;
    if (noise == NULL)
        return true;
    said.cut = ladder == NULL ? read_cells(cut, noise, request->confidence, &people)
                              : read_ladder(ladder, query->schema->bounds.total, noise,
                                            request->confidence, &people);
    scrim_measurement_free(noise);
    const int64_t kept = kept_rows(s, request->statistics, people, &said.has_share);
    said.has_totals = cut->count > 1 && cut->from[1] == 0;
    said.share_low = sc_cut_share_of_rows(said.cut.rows_low, kept);
    said.share_high = sc_cut_share_of_rows(said.cut.rows_high, kept);
    *is_there = said.tells_rows = ladder == NULL || request->record->tells_cut;
    return say_all(&said, arena, out);
}
