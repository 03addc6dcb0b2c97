#include "check.h"
#include "data/value/column.h"
#include "data/value/null_value.h"
#include "model/grid.h"

TEST(null_is_no_value_and_behind_all)
{
    CLAIM("null-value.apart");
    CHECK(SC_NULL > (int64_t)1 << SC_GRID_BITS);
    CHECK(sc_text_is_null(sc_null_text()));
    CHECK(!sc_column_is_text(sc_null_text()));
    CHECK(sc_text_compare(sc_null_text(), sc_text_of("\xf4\x8f\xbf\xbf")) > 0);
    CHECK(sc_text_compare(sc_null_text(), sc_text_of("")) > 0);
    CHECK(!sc_text_is_null(sc_text_of("")));
    CHECK(!sc_text_is_null(sc_text_of("NULL")));
    CHECK(!sc_text_is_null(sc_text_of("\xff\xff")));
    for (size_t i = 1; i <= 16; i++)
        CHECK_INT(sc_null_text().start[i], 0);
}
