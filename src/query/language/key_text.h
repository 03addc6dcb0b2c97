/* The texts of computed values: numbers on a ladder, keys as they are shown, and the texts that an
 * expression can have.
 *
 * Claim  key-text.distinct  different values of one expression have different texts
 * Claim  text-image.all  if each column holds a text of its list, the result is on the list of the
 *                        expression; and the list depends on the statement and the policy alone (A55)
 */
#ifndef SC_QUERY_KEY_TEXT_H
#define SC_QUERY_KEY_TEXT_H

#include "data/value/text_function.h"
#include "query/language/typed_node.h"

/* LADDER(x): 0, 1, 2, 5, 10, 20, 50, 100 ... and the same below 0. A value is rounded away from 0 to the
 * next rung. There are few rungs, so a quantile that is chosen among them needs far fewer people than one
 * that is chosen among all values. */

/* The number of the rung that a value is rounded to; |value| <= 2^62. */
int64_t sc_rung_of(int64_t value);
/* The value of a rung from -57 to 57. */
int64_t sc_rung_value(int64_t rung);
/* The largest value that is rounded to this rung. */
int64_t sc_rung_last(int64_t rung);

/* The text of a key, by which it is shown and sorted. typed is not a text column. A number has its shortest
 * exact text, a date is YYYY-MM-DD, a timestamp ends in its UTC offset (calendar.h), a condition is true or false, CASE is one of
 * its texts. A value outside of the extent is clamped to it. Writes at most capacity bytes with the terminator and returns the
 * length it needs without it, as snprintf does. SC_KEY_TEXT_BYTES is enough for everything except text.
 */
#define SC_KEY_TEXT_BYTES 128
size_t sc_key_text(const sc_typed *typed, int64_t value, char *text, size_t capacity);

/* The public texts of an expression: literals, keys that the owner has listed, and the results of
 * functions of them. A row whose column holds a text that is not listed is in no group. */

/* The longest list that x || y makes; with more results the expression has no public texts. */
#define SC_TEXT_IMAGE ((size_t)1 << 16)

/* The result of an operation from SC_OP_LOWER to SC_OP_JOINED on present texts; only SC_OP_JOINED reads
 * b. The result is a view of a, or lives in room. */
sc_text sc_typed_text(const sc_typed *typed, sc_text a, sc_text b,
                      char room[SC_TEXT_RESULT_BYTES]);

typedef struct sc_text_list {
    sc_text *
        texts; /* distinct, in bytewise order; NULL: the expression has no public texts */
    size_t count;
} sc_text_list;

/* The image of an expression: all texts that it can have. All in the arena. False without memory. */
bool sc_text_image(const sc_typed *typed, const sc_schema *schema, sc_arena *arena,
                   sc_text_list *out);

#endif
