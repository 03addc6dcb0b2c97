#include "check.h"
#include "data/value/unit_word.h"

TEST(unit_word_is_that_of_the_column)
{
    static const struct {
        const char *column, *one, *many;
    } cases[] = {{"", "row", "rows"},
                 {"customer", "customer", "customers"},
                 {"customer_id", "customer", "customers"},
                 {"Customer ID", "customer", "customers"},
                 {"PersonId", "person", "people"},
                 {"patient_number", "patient", "patients"},
                 {"personal", "unit", "units"},
                 {"custome", "unit", "units"},
                 {"pid", "unit", "units"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_STR(sc_unit_word(sc_text_of(cases[i].column), false), cases[i].one);
        CHECK_STR(sc_unit_word(sc_text_of(cases[i].column), true), cases[i].many);
    }
}
