/* A label that is being made: the facts that all kinds of releases have in common, and those of each kind. */
#ifndef SC_QUERY_LABEL_PART_H
#define SC_QUERY_LABEL_PART_H

#include "data/value/schema.h"
#include "query/answer/record.h"
#include "query/label/label.h"
#include "query/label/label_claim.h"
#include "query/label/label_source.h"

typedef struct sc_label_maker {
    const sc_label_source *source;
    scrim_label *label;
    bool is_query, is_synth, is_body; /* all false: a measurement */
    sc_record record;                 /* of a question */
    const sc_schema *schema;          /* of the version that was asked */
    sc_claim_part *parts;
    size_t part_count;
    char epsilon[SCRIM_NUMBER_BYTES], delta[SCRIM_NUMBER_BYTES]; /* as charged */
    char rho[SCRIM_NUMBER_BYTES]; /* of a total that has one */
    bool has_record;              /* the record stands beside it */
    bool is_withheld;             /* no fact that follows from the answer is put */
    size_t
        hidden; /* then, of a question that found its bounds: the statements that were asked, whose bounds follow from it */
    const sc_label_file
        *file; /* the file that is labelled; NULL: the label is of a release alone */
    const char *
        *missing;     /* of each question: what bounds leave out (kept_words.h), or "" */
    const char **cut; /* the same by people who were counted (cut_words.h) */
    sc_arena arena;
} sc_label_maker;

/* The number of a statement of the record among the questions of the label, from 1. */
size_t sc_label_question(const sc_label_maker *maker, size_t statement);

#define SC_LABEL_UNIT_BYTES 256
/* The name of the privacy unit: its column, "row", or "unit of the population" where none is known. */
void sc_label_unit(const sc_label_maker *maker, char unit[SC_LABEL_UNIT_BYTES]);

/* Writes a column; and the facts about the data that scrim does not protect. */
void sc_label_put_column(sc_label_maker *maker, size_t number, const sc_column *column);
void sc_label_put_unprotected(sc_label_maker *maker);
/* How large a group must be to be kept, where the measurement selects keys. */
void sc_label_put_kept(sc_label_maker *maker, size_t number,
                       const scrim_measurement *measurement);

SCRIM_MUST_USE scrim_status sc_label_no_memory(scrim_error *error);
SCRIM_MUST_USE scrim_status sc_label_unreadable(scrim_error *error);

/* The facts of each kind of release. `read` sets parts, from which the claim follows, epsilon and delta, and the schema
 * where one is known: SCRIM_E_LEDGER for a record that this version cannot read. `put` writes the sections from mechanism
 * to accuracy. */

/* Questions: everything is in the record of the answer. */
SCRIM_MUST_USE scrim_status sc_label_query_read(sc_label_maker *maker,
                                                scrim_error *error);
SCRIM_MUST_USE scrim_status sc_label_query_put(sc_label_maker *maker, scrim_error *error);

/* One measurement, as `scrim run --charge` releases it. Its input was computed outside of scrim, so columns, keys and
 * bounds are not known, but for what the measurement says. */
SCRIM_MUST_USE scrim_status sc_label_run_read(sc_label_maker *maker, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_label_run_put(sc_label_maker *maker, scrim_error *error);

/* Synthetic records (scrim/synth.h), from the line of the charge: how the rounds were spent follows from the record, and
 * their cost from the total that was charged for all of them. */
bool sc_label_is_synth(sc_text measurement); /* is it the line of such a charge? */
SCRIM_MUST_USE scrim_status sc_label_synth_read(sc_label_maker *maker,
                                                scrim_error *error);
SCRIM_MUST_USE scrim_status sc_label_synth_put(sc_label_maker *maker, scrim_error *error);

/* A floating body or a deep point (scrim/body_fit.h), from the line of the charge. */
bool sc_label_is_body(sc_text measurement); /* is it the line of such a charge? */
SCRIM_MUST_USE scrim_status sc_label_body_read(sc_label_maker *maker, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_label_body_put(sc_label_maker *maker, scrim_error *error);

#endif
