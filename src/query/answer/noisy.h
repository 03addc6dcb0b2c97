/* Draws the noisy numbers of a statement from its exact groups.
 *
 *     sc_noisy_init(&noisy, statement, first_part, &error);   // before the charge
 *     sc_noisy_draw(&noisy, passage, groups, &error);                     // after it
 *     ... noisy.rows, noisy.row_count ...
 *     sc_noisy_clear(&noisy);
 *
 * If keys are discovered, partition selection is drawn first, on the numbers of units of all groups except those whose
 * keys are known already (known_groups.h). All other parts are drawn for the known and the selected groups only. One draw has
 * the numbers of one statistic for all groups, or both cells for all groups. Quantiles are drawn group by group,
 * and then the rows in the rings about them. So are histograms: one draw has all bars of a group, each with
 * noise of its own. Every bucket of the public range is drawn, in order, and
 * nothing is kept of those that are not shown. With Laplace noise all of them are shown.
 *
 * Claim  noisy.parts     every part of the plan is drawn, once or once a group, and each number of
 *                        a row comes from the part of its statistic
 * Claim  noisy.kept      rows are the selected groups and those of all known keys, or all public groups in their order;
 *                        nothing else of the groups is left when it is cleared
 */
#ifndef SC_QUERY_NOISY_H
#define SC_QUERY_NOISY_H

#include "ledger/release.h"
#include "query/answer/known_groups.h"
#include "query/answer/record.h"

typedef struct sc_noisy sc_noisy;
struct sc_noisy {
    const sc_planned_statement *statement;
    const sc_text *known_keys; /* of the plan, or of the part that is drawn */
    size_t known_count;
    size_t first_part;   /* of the statement, among the parts of the passage */
    sc_record_row *rows; /* released; keys are views of the groups' or of the plan's */
    size_t row_count;
    sc_int128 *numbers; /* of the rows */
    size_t capacity;    /* of groups, for all that follows */
    size_t *kept;       /* the groups of the rows */
    sc_text *keys;      /* of discovered ones */
    size_t
        together; /* counts of a group's rows that are drawn together (statistic.h); 0: none are */
    sc_text *cell_keys; /* the key of each of them */
    int64_t *counts;
    sc_int128
        *sums; /* what noise is added to: a number of each group, or the rings of one */
    sc_draw draw;
    sc_record_bars *histograms; /* of the rows, */
    sc_drawn_bar **bars;        /* and what each of them lies in */
    int64_t *cells;             /* of one group: the rows of each bucket */
    size_t cell_capacity;
    const int64_t *
        counted; /* sc_pass_statement.bar_widths: widths of the buckets that the pass has counted; NULL: it has lists */
    sc_known_groups known; /* all groups, where keys are known */
    sc_noisy *
        parts; /* if groups come part by part: one of these for each part; they own the rows */
    size_t part_count;
    sc_arena key_texts;          /* of their rows */
    sc_int128 cut[SC_CUT_CELLS]; /* released: how many people were cut, by cell */
};

/* Takes the memory whose size is public. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_noisy_init(sc_noisy *noisy,
                                          const sc_planned_statement *statement,
                                          size_t first_part, scrim_error *error);
/* Wipes and frees everything. A zeroed struct is allowed. */
void sc_noisy_clear(sc_noisy *noisy);
/* Draws all parts of the statement except the count of people whose rows were cut. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_noisy_draw(sc_noisy *noisy, sc_passage *passage,
                                          const sc_groups *groups, scrim_error *error);

/* Draws that count, if the statement has it; counts: the exact numbers by cell (cut.h). */
SCRIM_MUST_USE scrim_status sc_noisy_draw_cut(sc_noisy *noisy, sc_passage *passage,
                                              const uint64_t counts[SC_CUT_CELLS],
                                              scrim_error *error);

/* Frees everything except the rows, whose keys are copied into the arena. False: no memory. */
bool sc_noisy_settle(sc_noisy *noisy, sc_arena *key_texts);

#endif
