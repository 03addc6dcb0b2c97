/* The declaration of a series, as the text of its entry in the ledger: lines of a word and a value,
 * always in this order, those in brackets where they are needed.
 *
 *     query SELECT word , COUNT ( * ) AS n GROUP BY word
 *     epsilon 0.1
 *     delta 0.000000001
 *    [mechanism laplace]
 *    [expect 300]
 *    [max-groups 3]                 contribution bounds of the question
 *    [max-rows 5]
 *    [max-total-rows 60]
 *    [max-total amount=500]         one a column
 *    [cut 1/20]                     the share of epsilon that counts people whose rows are left out
 *     known-keys continue
 *    [key-ranges public]            columns are public keys by their declared ranges
 *    [answers running]              totals of all windows so far
 *    [column speech]                of which there are windows, one a release:
 *     window 1 601
 *     window 602 1203
 *     ...
 *
 * A column of dates is "dates day".
 *
 * Claim  series-text.whole  what is read from a written text is what was written; every other text
 *                           is refused
 */
#ifndef SC_QUERY_SERIES_TEXT_H
#define SC_QUERY_SERIES_TEXT_H

#include "query/language/window.h"

typedef struct sc_series_text {
    sc_text query; /* in its one spelling */
    sc_text epsilon, delta;
    sc_text mechanism, expect;                    /* empty: not said */
    sc_text max_groups, max_rows, max_total_rows; /* the same */
    sc_text max_total;                            /* lines COLUMN=BOUND; the same */
    sc_text cut; /* empty: people whose rows are left out are not counted */
    bool is_continued;
    bool
        has_ranges; /* columns are public keys by their ranges; before there were such keys, not */
    bool is_running; /* answers are running totals */
    sc_text column;  /* empty: releases are of versions */
    bool is_date;
    const sc_window *windows;
    size_t window_count;
} sc_series_text;

/* Terminated, in the arena; NULL without memory. */
const char *sc_series_text_write(const sc_series_text *text, sc_arena *arena);
/* Views of what is read, and of the arena. SCRIM_E_LEDGER when the text is not a series,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_series_text_read(sc_text text, sc_arena *arena,
                                                sc_series_text *out, scrim_error *error);

#endif
