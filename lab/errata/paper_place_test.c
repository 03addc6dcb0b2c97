#include "check.h"
#include "lab/errata/paper_place.h"

#include <string.h>

TEST(place_has_one_form)
{
    CLAIM("paper-place.found");
    static const char *const same[] = {"Theorem 4.2", "theorem 4.2", "Thm. 4.2", "thm4.2",
                                       "THEO 4.2"};
    char first[LAB_PLACE_BYTES], other[LAB_PLACE_BYTES];
    lab_place_normalise(same[0], first);
    for (size_t i = 1; i < COUNT(same); i++) {
        lab_place_normalise(same[i], other);
        CHECK_STR(other, first);
    }
    lab_place_normalise("Lemma 4.2", other);
    CHECK(strcmp(other, first) != 0);
}

TEST(place_of_an_equation_has_one_spelling)
{
    CLAIM("paper-place.found");
    static const char *const same[] = {"Equation (12)", "(12)",    "equation 12",
                                       "eq. 12",        "Eq.(12)", "Eqn (12)"};
    char first[LAB_PLACE_BYTES], other[LAB_PLACE_BYTES];
    lab_place_normalise(same[0], first);
    for (size_t i = 1; i < COUNT(same); i++) {
        lab_place_normalise(same[i], other);
        CHECK_STR(other, first);
    }
    lab_place_normalise("12", other);
    CHECK(strcmp(other, first) != 0);
    lab_place_normalise("(alpha, beta)", other);
    CHECK_STR(other, "( alpha , beta ) ");
    CHECK(lab_place_matches("Equation (12)", "tail", "(12)"));
    CHECK(lab_place_matches("Equation (12)", "tail", "eq. 12"));
    CHECK(lab_place_matches("(26)-(27)", "tail", "(26)"));
    CHECK(!lab_place_matches("Equation (12)", "tail", "(1)"));
    CHECK(!lab_place_matches("Theorem 12", "tail", "(12)"));
}

TEST(place_is_found_by_numbers_and_words)
{
    CLAIM("paper-place.found");
    static const struct {
        const char *asked;
        bool is_found;
    } cases[] = {{"", true},
                 {"6.8", true},
                 {"6", true},
                 {"8", false},
                 {"6.80", false},
                 {"16.8", false},
                 {"thm 6", true},
                 {"theorem 6.8", true},
                 {"lemma 6.8", false},
                 {"numeric", true},
                 {"sparse acc", true},
                 {"parse", false},
                 {"accuracy 6.8", true},
                 {"accuracy 6.9", false}};
    for (size_t i = 0; i < COUNT(cases); i++)
        if (lab_place_matches("Theorem 6.8", "accuracy of Numeric Sparse",
                              cases[i].asked) != cases[i].is_found)
            CHECK_FAIL("'%s'", cases[i].asked);
    CHECK(lab_place_matches("6.5.1, 6.4, Lemma 2", "slips", "6.4"));
    CHECK(lab_place_matches("Sections 3 to 5; Table 1", "", "table 1"));
}
