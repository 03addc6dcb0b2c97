#include "check.h"
#include "cli/vault/release_number.h"

#include <string.h>

TEST(release_number_is_made_of_digits)
{
    static const struct {
        const char *word;
        uint64_t number;
    } cases[] = {
        {"0", 0}, {"12", 12}, {"007", 7}, {"999999999999999999", 999999999999999999}};
    uint64_t number = 0;
    scrim_error error;
    for (size_t i = 0; i < COUNT(cases); i++) {
        CHECK_STATUS(sc_release_number_parse(cases[i].word, &number, &error), SCRIM_OK);
        CHECK_INT(number, cases[i].number);
    }
    static const char *const others[] = {
        "", "-1", "+1", " 1", "1 ", "1.0", "0x1", "adult", "1000000000000000000"};
    number = 5;
    for (size_t i = 0; i < COUNT(others); i++) {
        CHECK_STATUS(sc_release_number_parse(others[i], &number, &error), SCRIM_E_PARAM);
        CHECK(strstr(error.message, "'scrim ledger' lists them") != NULL);
    }
    CHECK_INT(number, 5);
}
