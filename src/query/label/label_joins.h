/* Facts of a label about public tables: each that is joined, with the digest that its lines have wherever they come from, and
 * how rows without a match are used. */
#ifndef SC_QUERY_LABEL_JOINS_H
#define SC_QUERY_LABEL_JOINS_H

#include "query/label/label_part.h"

/* Writes the section "joined". SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_label_put_joins(sc_label_maker *maker,
                                               const sc_planned_statement *statements,
                                               scrim_error *error);

#endif
