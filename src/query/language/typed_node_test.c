#include "check.h"
#include "query/language/typed_node.h"

TEST(typed_nodes_of_text_are_columns_or_not)
{
    const sc_typed column = {.operation = SC_OP_COLUMN, .type = SC_TYPE_TEXT},
                   constant = {.operation = SC_OP_CONSTANT, .type = SC_TYPE_TEXT},
                   number = {.operation = SC_OP_COLUMN, .type = SC_TYPE_NUMBER};
    CHECK(sc_typed_is_text_column(&column));
    CHECK(!sc_typed_is_text_column(&constant));
    CHECK(!sc_typed_is_text_column(&number));
    CHECK_STR(sc_type_text(SC_TYPE_NUMBER), "a number");
    CHECK_STR(sc_type_text(SC_TYPE_DATE), "a date");
    CHECK_STR(sc_type_text(SC_TYPE_BOOL), "true or false");
    CHECK_STR(sc_type_text(SC_TYPE_TEXT), "text");
}
