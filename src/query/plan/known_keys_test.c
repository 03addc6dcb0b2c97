#include "check.h"
#include "query/plan/known_keys.h"

TEST(known_keys_have_two_names)
{
    CHECK_STR(sc_known_keys_name(true), "continue");
    CHECK_STR(sc_known_keys_name(false), "rethreshold");
    for (int i = 0; i < 2; i++) {
        bool is_continued = i == 0;
        CHECK(sc_known_keys_parse(sc_text_of(sc_known_keys_name(i == 1)), &is_continued));
        CHECK_INT(is_continued, i);
    }
}

TEST(known_keys_are_no_other_word)
{
    static const char *const words[] = {"", "continue ", "Continue", "rethresh",
                                        "forget"};
    for (size_t i = 0; i < COUNT(words); i++)
        for (int was = 0; was < 2; was++) {
            bool is_continued = was == 1;
            CHECK(!sc_known_keys_parse(sc_text_of(words[i]), &is_continued));
            CHECK_INT(is_continued, was);
        }
}
