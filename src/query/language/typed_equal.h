/* Do two expressions mean the same, operation by operation? Nothing is simplified: age + 1 and
 * 1 + age are two. */
#ifndef SC_QUERY_TYPED_EQUAL_H
#define SC_QUERY_TYPED_EQUAL_H

#include "query/language/typed_node.h"

bool sc_typed_equal(const sc_typed *a, const sc_typed *b);

#endif
