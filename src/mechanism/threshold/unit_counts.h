/* Shared by the mechanisms on groups of units: the number of units of each group, how many groups
 * one unit may be in, and how many of the numbers one unit can change. Behind it, the tally of
 * places that occur in private rows.
 *
 * A group exists by its units: a group of 0 units has no name to show. One unit is in at most
 * max-groups groups, 1 unless given, and counts once in each. Under add-remove it changes up to
 * max-groups numbers, all up or all down; under replace it leaves up to max-groups groups and
 * enters as many.
 *
 * Reference  spec/thresholding.md 1
 */
#ifndef SC_MECHANISM_THRESHOLD_UNIT_COUNTS_H
#define SC_MECHANISM_THRESHOLD_UNIT_COUNTS_H

#include "model/measurement.h"
#include "model/outcomes.h"

/* The parameter of that name, for the lists of mechanisms. */
#define SC_PARAMETER_MAX_GROUPS                                                          \
    {                                                                                    \
        .name = "max-groups", .kind = SC_PARAMETER_INTEGER, .optional = true,            \
        .at_least = "1", .limit_high = "2^20",                                           \
        .domain = "the number of contribution bound: groups per unit, an integer from "  \
                  "1 to 1048576"                                                         \
    }

/* The parameter max-rows: how much one unit may add to each of its groups. */
#define SC_PARAMETER_MAX_ROWS                                                            \
    {                                                                                    \
        .name = "max-rows", .kind = SC_PARAMETER_INTEGER, .optional = true,              \
        .at_least = "1", .limit_high = "2^20",                                           \
        .domain = "what one unit may add to a group, an integer from 1 to 1048576"       \
    }

/* Makes the domain integers from 0 on, of any number of groups, none included. Rounding changes
 * neither how many numbers change nor that each changes by at most a whole number; a mechanism that
 * adds up the changes calls sc_unit_counts_sum as well. */
SCRIM_MUST_USE scrim_status sc_unit_counts_domain(scrim_measurement *measurement,
                                                  scrim_error *error);
/* Only the sum of all changes is bounded: several values are whole, or given as integers. */
void sc_unit_counts_sum(scrim_measurement *measurement);
/* The domain for numbers of elements, where one unit owns a number of elements in all: a value that
 * is not an integer is missing. */
SCRIM_MUST_USE scrim_status sc_unit_counts_elements(scrim_measurement *measurement,
                                                    scrim_error *error);
/* max-groups. */
uint64_t sc_unit_counts_groups(const scrim_measurement *measurement);
/* max-rows, of a mechanism that has it. */
uint64_t sc_unit_counts_rows(const scrim_measurement *measurement);
/* How many numbers one unit can change. */
uint64_t sc_unit_counts_changed(const scrim_measurement *measurement);
/* One value for each group: .answer_count and .width of these mechanisms. */
size_t sc_unit_counts_answers(const scrim_measurement *measurement, size_t count);
/* .is_kept: a group that is left out has no number, or it has 0 instead of 1. */
bool sc_unit_counts_is_above(const scrim_measurement *measurement, sc_mark mark,
                             sc_int128 value);
bool sc_unit_counts_is_one(const scrim_measurement *measurement, sc_mark mark,
                           sc_int128 value);
/* At most max-groups numbers change, by 1 each: .change of those whose units count once. */
void sc_unit_counts_change(const scrim_measurement *measurement, sc_change *out);

/* Places that occur in private rows, in order, with how often each does; and the law of answers that show some
 * of them, a place and a count each. */

typedef struct sc_place_tally {
    uint64_t *places;
    int64_t *counts;
    size_t count, room;
} sc_place_tally;

/* Makes room for `room` places. SCRIM_E_MEMORY; clear it in any case. */
SCRIM_MUST_USE scrim_status sc_place_tally_init(sc_place_tally *tally, size_t room,
                                                scrim_error *error);
/* Wipes it. */
void sc_place_tally_clear(sc_place_tally *tally);
/* Sorts the first `found` places, which the caller has set, and counts equal ones. */
void sc_place_tally_count(sc_place_tally *tally, size_t found);

/* The law is given for at most this many places; a key has a place and a count for each that is shown, and is
 * filled up with -1. */
#define SC_PLACE_TALLY_LAW ((size_t)4)
#define SC_PLACE_TALLY_WIDTH (2 * SC_PLACE_TALLY_LAW)
/* An outcome of the counts becomes that of the places shown: those that have not the count hidden. */
SCRIM_MUST_USE scrim_status sc_place_tally_list(const sc_place_tally *tally,
                                                const sc_outcomes *counts, size_t index,
                                                int64_t hidden, sc_outcomes *out,
                                                scrim_error *error);

#endif
