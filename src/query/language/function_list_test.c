#include "check.h"
#include "query/language/forbidden.h"
#include "query/language/function_list.h"

#include <string.h>

TEST(function_list_is_in_order_and_says_how)
{
    const sc_function *function, *before = NULL;
    for (size_t i = 0; (function = sc_function_at(i)) != NULL; i++) {
        CHECK(before == NULL || strcmp(before->name, function->name) < 0);
        CHECK(sc_function_find(sc_text_of(function->name)) == function);
        CHECK(strncmp(function->form, function->name, strlen(function->name)) == 0);
        CHECK(function->least <= function->most);
        /* What is on the list is not refused by another. */
        CHECK(sc_forbidden_function(sc_text_of(function->name)) == NULL);
        CHECK(sc_forbidden_word(sc_text_of(function->name)) == NULL);
        before = function;
    }
    CHECK(sc_function_find(sc_text_of("sum")) == NULL);
    CHECK(sc_function_find(sc_text_of("LEAK")) == NULL);
    CHECK_STR(sc_function_nearest(sc_text_of("QUANTIL")), "QUANTILE");
    CHECK(sc_function_nearest(sc_text_of("PG_SLEEP")) == NULL);
    /* What lacks an underscore alone is that, though another is as near. */
    CHECK_STR(sc_function_nearest(sc_text_of("MAXK")), "MAX_K");
    CHECK_STR(sc_function_nearest(sc_text_of("VARPOP")), "VAR_POP");
    CHECK_STR(sc_function_nearest(sc_text_of("MAXX")), "MAX");
    CHECK_STR(sc_function_nearest(sc_text_of("MAX_")), "MAX");
}

TEST(function_list_tells_aggregates)
{
    static const char *const rows[] = {"ABS", "BUCKET", "CLAMP", "DAY", "YEAR"};
    static const char *const aggregates[] = {"AVG", "COUNT", "SUM", "VAR_SAMP", "MAX"};
    for (size_t i = 0; i < 5; i++) {
        CHECK(!sc_function_is_aggregate(sc_function_find(sc_text_of(rows[i]))));
        CHECK(sc_function_is_aggregate(sc_function_find(sc_text_of(aggregates[i]))));
    }
}
