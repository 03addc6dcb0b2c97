#include "check.h"
#include "query/language/forbidden.h"
#include "query/language/function_list.h"

#include <string.h>

TEST(function_list_names_each_once_and_says_how)
{
    sc_function function, same;
    for (size_t i = 0; sc_function_at(i, &function); i++) {
        const sc_call_form *form = function.form;
        CHECK(sc_function_find(sc_text_of(form->name), &same) && same.form == form);
        CHECK(strncmp(form->form, form->name, strlen(form->name)) == 0);
        CHECK(form->least <= form->most);
        CHECK((function.kind == 0) == (function.aggregate != NULL));
        /* What is on the list is not refused by another. */
        CHECK(sc_forbidden_function(sc_text_of(form->name)) == NULL);
        CHECK(sc_forbidden_word(sc_text_of(form->name)) == NULL);
    }
    CHECK(!sc_function_find(sc_text_of("sum"), &same));
    CHECK(!sc_function_find(sc_text_of("LEAK"), &same));
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
    sc_function function;
    for (size_t i = 0; i < 5; i++) {
        CHECK(sc_function_find(sc_text_of(rows[i]), &function));
        CHECK(function.aggregate == NULL);
        CHECK(sc_function_find(sc_text_of(aggregates[i]), &function));
        CHECK(function.aggregate != NULL);
    }
}
