#include "check.h"
#include "query/language/forbidden.h"

TEST(forbidden_words_in_any_case)
{
    CHECK(sc_forbidden_word(sc_text_of("join")) != NULL);
    CHECK(sc_forbidden_word(sc_text_of("UnIoN")) != NULL);
    CHECK(sc_forbidden_word(sc_text_of("unions")) == NULL);
    CHECK(sc_forbidden_word(sc_text_of("")) == NULL);
    CHECK(sc_forbidden_function(sc_text_of("row_number")) != NULL);
    CHECK(sc_forbidden_function(sc_text_of("SUM")) == NULL);
    CHECK(sc_forbidden_function(sc_text_of("join")) == NULL);
}
