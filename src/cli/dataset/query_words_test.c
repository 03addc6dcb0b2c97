#include "check.h"
#include "cli/dataset/query_words.h"

#include <stdio.h>
#include <string.h>

static void put(void *context, const char *word)
{
    char *all = context;
    const size_t used = strlen(all);
    snprintf(all + used, 4096 - used, "%s|", word);
}

TEST(query_words_are_quoted_as_the_language_has_it)
{
    char all[4096] = "";
    sc_policy_words("csv=a.csv\nunit=Customer ID\ncolumn=age=int[0,120]\n"
                    "column=a \"b\"=text\ncolumn=2nd=bool\nkeys=sex=F,it's\nmax-rows=1",
                    put, all);
    CHECK_STR(all, "\"Customer ID\"|age|\"a \"\"b\"\"\"|\"2nd\"|'F'|'it''s'|");
}

TEST(query_words_of_a_long_key_are_left_out)
{
    char all[4096] = "", policy[1024];
    snprintf(policy, sizeof policy, "keys=sex=%0900d,F\n", 1);
    sc_policy_words(policy, put, all);
    CHECK_STR(all, "'F'|");
    all[0] = '\0';
    sc_policy_words("", put, all);
    sc_policy_words("column=\nkeys=\nkeys=x\nkeys=x=\nunit", put, all);
    CHECK_STR(all, "");
}
