/* Numbers as they are shown: with a fixed public number of digits behind the point, since a varying one
 * would leak (A54).
 *
 * Claim  shown.outward  a low end is never shown above what it is, a high end never below, and a
 *                       value is the nearest of its digits, half up
 */
#ifndef SC_QUERY_SHOWN_H
#define SC_QUERY_SHOWN_H

#include "base/memory.h"
#include "base/number/ratio.h"
#include "data/value/calendar.h"
#include "query/language/extent.h"

/* More digits are never shown. */
#define SC_SHOWN_DIGITS 40

typedef enum sc_shown_way { SC_SHOWN_NEAREST, SC_SHOWN_DOWN, SC_SHOWN_UP } sc_shown_way;

/* The number that is shown for x. digits <= SC_SHOWN_DIGITS. out may be x. */
void sc_shown_round(const sc_ratio *x, unsigned digits, sc_shown_way way, sc_ratio *out);
/* Its text, in the arena: an optional sign, digits and, if digits > 0, a point and that many
 * more. x is rounded already. NULL without memory. */
const char *sc_shown_number(const sc_ratio *x, unsigned digits, sc_arena *arena);
/* x >= 0 with three digits in all, rounded up: "0.0123", "4570". */
#define SC_SHOWN_THREE_BYTES 400
void sc_shown_three(const sc_ratio *x, char out[SC_SHOWN_THREE_BYTES]);
/* A day as YYYY-MM-DD; x is a whole number, clamped to the calendar. */
const char *sc_shown_date(const sc_ratio *x, sc_arena *arena);
/* A timestamp with its offset; x is a whole number of seconds. */
const char *sc_shown_moment(const sc_ratio *x, const sc_zone *zone, sc_arena *arena);
/* The value of a rung (key_text.h) in steps; x is the number of the rung. */
const char *sc_shown_rung(const sc_ratio *x, sc_value_step step, sc_arena *arena);

#endif
