#include "exact.h"
#include "sampling/bernoulli.h"

TEST(fraction_knows_when_words_suffice)
{
    static const struct {
        const char *text;
        bool is_small;
        uint64_t n, d;
    } list[] = {{"10", true, 10, 1},
                {"6/4", true, 3, 2},
                {"0.125", true, 1, 8},
                {"1125899906842623", true, 1125899906842623, 1},
                {"1125899906842624", false, 0, 1}, /* 2^50 */
                {"1/1125899906842623", true, 1, 1125899906842623},
                {"1/1125899906842624", false, 1, 0},
                {"2^60", false, 0, 1},
                {"2^-60", false, 1, 0}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_fraction fraction;
        exact_fraction(list[i].text, &fraction);
        CHECK_INT(fraction.is_small, list[i].is_small);
        if (list[i].is_small) {
            CHECK_INT(fraction.n64, list[i].n);
            CHECK_INT(fraction.d64, list[i].d);
        }
        sc_fraction_clear(&fraction);
    }
}

TEST(fraction_of_integers_is_not_reduced)
{
    sc_integer n, d;
    sc_fraction fraction;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_integer_set_int128(&n, 6);
    sc_integer_set_int128(&d, 4);
    sc_fraction_init_integers(&fraction, &n, &d);
    CHECK(fraction.is_small);
    CHECK_INT(fraction.n64, 6);
    CHECK_INT(fraction.d64, 4);
    sc_fraction_clear(&fraction);
    sc_integer_clear(&n);
    sc_integer_clear(&d);
}
