/* The texts that an expression can have, as far as they are public: literals, keys that the owner has
 * listed, and what functions make of them.
 *
 * A row may have another one, where a column holds what is on no list: such a row is in no group.
 *
 * Claim  text-image.all  whatever texts of their lists columns hold, the result is on the list; and
 *                        the list depends on the statement and the policy alone (A55)
 */
#ifndef SC_QUERY_TEXT_IMAGE_H
#define SC_QUERY_TEXT_IMAGE_H

#include "data/value/text_function.h"
#include "query/language/typed_node.h"

/* Longer lists of texts that are put together, x || y, are not made. */
#define SC_TEXT_IMAGE ((size_t)1 << 16)

/* What an operation from SC_OP_LOWER to SC_OP_JOINED makes of texts that are present; b is that of
 * SC_OP_JOINED. It is a view of a, or in room. */
sc_text sc_typed_text(const sc_typed *typed, sc_text a, sc_text b,
                      char room[SC_TEXT_RESULT_BYTES]);

typedef struct sc_text_list {
    sc_text *texts; /* distinct, in bytewise order; NULL: they are not public */
    size_t count;
} sc_text_list;

/* All in the arena. False without memory. */
bool sc_text_image(const sc_typed *typed, const sc_schema *schema, sc_arena *arena,
                   sc_text_list *out);

#endif
