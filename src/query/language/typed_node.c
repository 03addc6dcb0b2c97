#include "query/language/typed_node.h"

const char *sc_type_text(sc_type type)
{
    switch (type) {
    case SC_TYPE_NUMBER:
        return "a number";
    case SC_TYPE_DATE:
        return "a date";
    case SC_TYPE_BOOL:
        return "true or false";
    case SC_TYPE_TEXT:
        return "text";
    }
    return "nothing";
}

bool sc_typed_is_text_column(const sc_typed *typed)
{
    return typed->type == SC_TYPE_TEXT && typed->operation == SC_OP_COLUMN;
}
