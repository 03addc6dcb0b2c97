#include "base/number/ratio.h"
#include "check.h"

static bool is_at_least(const void *context, const sc_ratio *x)
{
    return sc_ratio_compare(x, context) >= 0;
}

static void set(const char *text, sc_ratio *out)
{
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), out, NULL), SCRIM_OK);
}

typedef struct turn {
    const char *at, *low, *high; /* high NULL: none is found */
} turn;

/* Between 2^-4 and 2^4: the powers that are found are those strictly inside. */
TEST(ratio_search_brackets_where_the_answer_turns)
{
    CLAIM("ratio-search.holds");
    static const turn list[] = {
        {"1", "1/2", "1"},      {"3/4", "1/2", "1"},  {"1/2", "1/4", "1/2"},
        {"1.001", "1", "2"},    {"5", "4", "8"},      {"8", "4", "8"},
        {"8.001", NULL, NULL},  {"100", NULL, NULL},  {"1/8", "1/16", "1/8"},
        {"0.1", "1/16", "1/8"}, {"1/16", NULL, NULL}, {"2^-100", NULL, NULL}};
    sc_ratio at, low, high, want;
    sc_ratio_init(&at);
    sc_ratio_init(&low);
    sc_ratio_init(&high);
    sc_ratio_init(&want);
    for (size_t i = 0; i < COUNT(list); i++) {
        set(list[i].at, &at);
        const bool found = sc_ratio_bracket(is_at_least, &at, -4, 4, &low, &high);
        if (!CHECK(found == (list[i].high != NULL)))
            CHECK_FAIL("%s", list[i].at);
        if (!found || list[i].high == NULL)
            continue;
        set(list[i].low, &want);
        CHECK_INT(sc_ratio_compare(&low, &want), 0);
        set(list[i].high, &want);
        CHECK_INT(sc_ratio_compare(&high, &want), 0);
        CHECK(is_at_least(&at, &high) && !is_at_least(&at, &low));
    }
    sc_ratio_clear(&want);
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
    sc_ratio_clear(&at);
}

/* After n steps from 0 and 1 the two are 2^-n apart, and 1/3 lies between them. */
TEST(ratio_search_halves_what_lies_between)
{
    CLAIM("ratio-search.holds");
    sc_ratio third, low, high, apart, want;
    sc_ratio_init(&third);
    sc_ratio_init(&low);
    sc_ratio_init(&high);
    sc_ratio_init(&apart);
    sc_ratio_init(&want);
    set("1/3", &third);
    set("1", &want);
    for (int steps = 0; steps <= 80; steps++) {
        set("0", &low);
        set("1", &high);
        sc_ratio_bisect(is_at_least, &third, steps, &low, &high);
        CHECK(sc_ratio_compare(&low, &third) < 0 && sc_ratio_compare(&third, &high) <= 0);
        sc_ratio_sub(&apart, &high, &low);
        CHECK_INT(sc_ratio_compare(&apart, &want), 0);
        set("2", &apart);
        sc_ratio_div(&want, &want, &apart);
    }
    sc_ratio_clear(&want);
    sc_ratio_clear(&apart);
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
    sc_ratio_clear(&third);
}
