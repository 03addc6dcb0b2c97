/* A compiled expression: expression_compile.c makes it, expression.c runs it. */
#ifndef SC_QUERY_EXPRESSION_CODE_H
#define SC_QUERY_EXPRESSION_CODE_H

#include "query/rows/text_value.h"

typedef struct sc_instruction {
    const sc_typed *typed; /* what is computed; its lists and factors */
    sc_operation operation;
    size_t target; /* a block */
    sc_value_place a, b;
    sc_value_place condition;      /* of SC_OP_CASE: target = condition ? a : target */
    bool may_be_null;              /* a or b */
    const sc_text_value *texts[2]; /* of what reads texts, in place of a and b */
} sc_instruction;

struct sc_expression {
    const sc_instruction *list;
    size_t count;
    size_t constant_count; /* the first blocks */
    const int64_t *constants;
    size_t block_count, room_count;
    sc_value_place result;
    const sc_text_value *text; /* of an expression that is text */
    int64_t low, high;
    bool is_nullable;
    bool is_inside; /* whatever the columns hold, the last instruction keeps the extent */
};

#endif
