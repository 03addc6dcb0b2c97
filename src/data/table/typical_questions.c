#include "data/table/typical_questions.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A total of rows, for the table's choices of one aggregate. */

static bool is_total(const scrim_bound_choice *choice)
{
    return choice->max_groups == 1 && choice->max_rows > 0;
}

/* How many times the noise of one group: under replace the rows of both versions may be in different groups. */
static double noise_times(const sc_schema *schema, const char *name, uint64_t groups)
{
    const sc_column *column =
        name[0] == '\0' ? NULL : sc_schema_column(schema, sc_text_of(name));
    if (schema->neighbours != SCRIM_REPLACE || groups == 1)
        return 1;
    if (column == NULL)
        return 2;
    const double low = fmin((double)column->grid.low, 0),
                 high = fmax((double)column->grid.high, 0);
    return high > low ? 2 * fmax(-low, high) / (high - low) : 1;
}

typedef struct question_error {
    double noise, error;
} question_error;

/* Rows are chosen by a total of them; but a sum clamps what a person adds to all groups, and loses less. Where persons
 * are replaced and values have both signs, only one of a single group does. */
static double kept_of(const sc_schema *schema, const scrim_bound_choice *choice,
                      uint64_t groups)
{
    const sc_column *column = choice->column[0] == '\0'
                                  ? NULL
                                  : sc_schema_column(schema, sc_text_of(choice->column));
    const bool moves_farther = column != NULL && schema->neighbours == SCRIM_REPLACE &&
                               column->grid.low < 0 && column->grid.high > 0;
    return groups > 1 && moves_farther ? choice->kept_chosen : choice->kept;
}

static question_error error_of(const sc_schema *schema, const scrim_bound_choice *choice,
                               uint64_t groups, double times)
{
    const double noise = choice->noise * times * (double)groups / choice->whole;
    return (question_error){noise, hypot(1 - kept_of(schema, choice, groups), noise)};
}

/* How a total serves all questions. */
typedef struct total_rating {
    double worst; /* of all questions the largest error, in parts of its smallest one */
    double logarithms; /* of all errors, added up */
} total_rating;

/* An answer that is off by more than all of it is of no use, however much more. */
static double useful(double error)
{
    return fmin(error, 1);
}

static bool is_better(const total_rating *one, const total_rating *other)
{
    return one->worst < other->worst ||
           (one->worst == other->worst && one->logarithms < other->logarithms);
}

static void name_question(scrim_typical_question *own, const char *column,
                          const sc_typical_keys *keys)
{
    const bool is_count = column[0] == '\0';
    char name[SC_TEXT_NAME_BYTES];
    snprintf(own->text, sizeof own->text, "%s%s%s%s%s", is_count ? "COUNT(*)" : "SUM(",
             is_count ? "" : sc_text_name(sc_text_of(column), name), is_count ? "" : ")",
             keys->text[0] == '\0' ? "" : " by ", keys->text);
    own->groups = keys->groups;
}

/* The question of an aggregate, whose choices begin at first, by keys; adds to the ratings by total. */
static void add_question(const sc_schema *schema, scrim_bound_choices *table,
                         size_t first, const sc_typical_keys *keys, total_rating *ratings)
{
    const scrim_bound_choice *choices = &table->choices[first];
    scrim_typical_question *own = &table->typical[table->typical_count++];
    const double times = noise_times(schema, choices->column, keys->groups);
    size_t count = 0;
    name_question(own, choices->column, keys);
    while (first + count < table->count &&
           strcmp(choices[count].column, choices->column) == 0)
        count++;
    for (size_t i = 0; i < count; i++) {
        const double error = error_of(schema, &choices[i], keys->groups, times).error;
        if (is_total(&choices[i]) && (own->best_total == 0 || error < own->best_error)) {
            own->best_total = choices[i].max_rows;
            own->best_error = error;
        }
    }
    for (size_t i = 0, at = 0; i < count; i++) {
        const double error = error_of(schema, &choices[i], keys->groups, times).error;
        if (!is_total(&choices[i]))
            continue;
        ratings[at].worst =
            fmax(ratings[at].worst, useful(error) / useful(own->best_error));
        ratings[at++].logarithms += log(error);
    }
}

static void propose(const sc_schema *schema, scrim_bound_choices *table,
                    const size_t *firsts, const total_rating *ratings)
{
    size_t best = 0, at = 0, place = 0;
    const scrim_bound_choice *count = table->choices;
    for (size_t i = 0; i < table->count && strcmp(table->choices[i].column, "") == 0;
         i++) {
        if (!is_total(&count[i]))
            continue;
        if (at == 0 || is_better(&ratings[at], &ratings[best])) {
            best = at;
            place = i;
        }
        at++;
    }
    table->proposed_total = count[place].max_rows;
    for (size_t i = 0; i < table->typical_count; i++) {
        scrim_typical_question *own = &table->typical[i];
        const scrim_bound_choice *choice = &table->choices[firsts[i] + place];
        const question_error error =
            error_of(schema, choice, own->groups,
                     noise_times(schema, choice->column, own->groups));
        own->kept = kept_of(schema, choice, own->groups);
        own->noise = error.noise;
        own->error = error.error;
    }
}

static bool begins(const scrim_bound_choices *table, size_t i)
{
    return table->choices[i].whole > 0 &&
           (i == 0 ||
            strcmp(table->choices[i].column, table->choices[i - 1].column) != 0);
}

static bool is_unread(const scrim_bound_choices *table, const char *column)
{
    for (size_t i = 0; i < table->unread_count; i++)
        if (strcmp(table->unread[i], column) == 0)
            return true;
    return false;
}

scrim_status sc_typical_questions(const sc_schema *schema, const sc_typical_keys *keys,
                                  size_t key_count, scrim_bound_choices *table,
                                  scrim_error *error)
{
    const size_t most = (schema->column_count + 1) * key_count;
    total_rating *ratings = sc_allocate(table->count + 1, sizeof *ratings);
    size_t *firsts = sc_allocate(most, sizeof *firsts);
    table->typical = sc_allocate(most, sizeof *table->typical);
    const bool has_room = ratings != NULL && firsts != NULL && table->typical != NULL;
    for (size_t i = 0; has_room && i < table->count; i++)
        for (size_t k = 0; begins(table, i) &&
                           !is_unread(table, table->choices[i].column) && k < key_count;
             k++) {
            firsts[table->typical_count] = i;
            add_question(schema, table, i, &keys[k], ratings);
        }
    if (table->typical_count > 0)
        propose(schema, table, firsts, ratings);
    sc_free_wiped(ratings, ratings == NULL ? 0 : (table->count + 1) * sizeof *ratings);
    sc_free(firsts);
    return has_room ? SCRIM_OK : sc_no_memory(error, "typical questions");
}
