#include "check.h"
#include "data/value/boolean.h"

TEST(boolean_words_and_no_others)
{
    CLAIM("boolean.words");
    static const char *const words[][6] = {{"false", "F", "No", "n", "0", " FALSE\t"},
                                           {"true", "T", "yEs", "y", "1", "  True "}};
    static const char *const others[] = {"",    " ",    "2",     "00",  "10",
                                         "-1",  "tru",  "truee", "on",  "off",
                                         "y e", "NULL", "nan",   "yes."};
    for (int64_t value = 0; value < 2; value++)
        for (size_t i = 0; i < COUNT(words[value]); i++) {
            int64_t got = 7;
            CHECK(sc_boolean_read(sc_text_of(words[value][i]), &got));
            CHECK_INT(got, value);
        }
    for (size_t i = 0; i < COUNT(others); i++) {
        int64_t got = 7;
        if (sc_boolean_read(sc_text_of(others[i]), &got))
            CHECK_FAIL("'%s' is taken for a bool", others[i]);
        CHECK_INT(got, 7);
    }
    int64_t got = 7;
    CHECK(!sc_boolean_read((sc_text){"t\0", 2}, &got));
}
