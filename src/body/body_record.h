/* The record of a body in the ledger, and the release made of it.
 *
 *     body 1                     point 1
 *     {"format": "scrim-body-1"  dataset adult
 *     ...                        ...
 *
 * A body is its file (solve/body.h) without number and label, which are added when it is shown. A deep point is lines of
 * what was declared, and its coordinates. docs/ledger-format.md describes both.
 *
 * Claim  body-record.back  what is read from a record is what was written; any other text is refused
 */
#ifndef SC_BODY_RECORD_H
#define SC_BODY_RECORD_H

#include "body/body_plan.h"

struct scrim_body_release {
    uint64_t id, time;
    bool is_repeated;
    char *dataset;
    uint64_t version;
    scrim_cost cost;
    sc_body *body; /* NULL: a point */
    size_t dimension;
    char *names[2];
    sc_ratio point[2]; /* in units of the columns */
};

/* The offsets of a body, or the coordinates of a point, by direction or column. Terminated, freed by sc_free; NULL without
 * memory. */
char *sc_body_record_write(const scrim_body_fit *fit, const uint64_t *released);
/* SCRIM_E_CHECK, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_body_record_read(const char *text, uint64_t id,
                                                uint64_t time, bool is_repeated,
                                                scrim_body_release **out,
                                                scrim_error *error);

#endif
