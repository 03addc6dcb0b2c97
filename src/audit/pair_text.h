/* A pair of neighbours as text: "x: 0 0 1 | y: 1 0 1". */
#ifndef SC_AUDIT_PAIR_TEXT_H
#define SC_AUDIT_PAIR_TEXT_H

#include "audit/comparison.h"
#include "base/text.h"
#include "model/mechanism.h"

/* What is called x is the one whose answers are held against the other's. Long runs of one number
 * are told as "7 (32 times)", no numbers at all as "(empty)". */
void sc_pair_put(sc_text_sink *sink, const sc_pair *pair, sc_direction direction);

#endif
