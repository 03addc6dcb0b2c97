#include "exact.h"
#include "model/domain.h"

#include <string.h>

#define FAR ((int64_t)1 << SC_GRID_BITS)

static scrim_status set(sc_domain *domain, const char *step, const char *lower,
                        const char *upper, scrim_error *error)
{
    sc_ratio s, l, u;
    exact_ratio(step == NULL ? "1" : step, &s);
    exact_ratio(lower == NULL ? "1" : lower, &l);
    exact_ratio(upper == NULL ? "1" : upper, &u);
    sc_domain_init(domain);
    scrim_status status =
        sc_domain_set_grid(domain, step == NULL ? NULL : &s, lower == NULL ? NULL : &l,
                           upper == NULL ? NULL : &u, error);
    sc_ratio_clear(&u);
    sc_ratio_clear(&l);
    sc_ratio_clear(&s);
    return status;
}

TEST(domain_begins_as_all_integers)
{
    sc_domain domain;
    sc_domain_init(&domain);
    CHECK_INT(domain.grid.low, -FAR);
    CHECK_INT(domain.grid.high, FAR);
    CHECK_INT(domain.grid.missing, 0);
    CHECK_INT(domain.count_min, 1);
    CHECK(domain.count_max == SIZE_MAX && !domain.is_whole);
    CHECK_INT(sc_domain_clamp(&domain, INT64_MAX), FAR);
    CHECK_INT(sc_domain_clamp(&domain, INT64_MIN), -FAR);
    CHECK_INT(sc_domain_clamp(&domain, -5), -5);
}

/* Missing is 0, or the end that is nearest to it. */
TEST(domain_has_a_missing_value_in_its_range)
{
    static const struct {
        const char *step, *lower, *upper;
        int64_t low, high, missing;
    } list[] = {{NULL, NULL, NULL, -FAR, FAR, 0},  {"0.01", NULL, NULL, -FAR, FAR, 0},
                {"0.01", "-1", "2", -100, 200, 0}, {"1/4", "1/2", "10", 2, 40, 2},
                {NULL, "-10", "-3", -10, -3, -3},  {"1000", "0", "5000", 0, 5, 0}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_domain domain;
        REQUIRE_OK(set(&domain, list[i].step, list[i].lower, list[i].upper, NULL));
        CHECK_INT(domain.grid.low, list[i].low);
        CHECK_INT(domain.grid.high, list[i].high);
        CHECK_INT(domain.grid.missing, list[i].missing);
    }
}

/* A23: a range without an inside is refused, and the domain stays what it was. */
TEST(domain_refuses_what_is_no_range)
{
    static const struct {
        const char *step, *lower, *upper;
        scrim_status status;
    } list[] = {
        {NULL, "5", "5", SCRIM_E_PARAM},       {NULL, "1", "0", SCRIM_E_PARAM},
        {"1/3", NULL, NULL, SCRIM_E_PARAM},    {"0.1", "0", "0.25", SCRIM_E_PARAM},
        {"0.1", "0.05", "1", SCRIM_E_PARAM},   {"1e-9", "0", "1e12", SCRIM_E_LIMIT},
        {"2^-2000", NULL, NULL, SCRIM_E_LIMIT}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_domain domain, before;
        scrim_error error = {.message = ""};
        sc_domain_init(&before);
        CHECK_STATUS(set(&domain, list[i].step, list[i].lower, list[i].upper, &error),
                     list[i].status);
        CHECK(strlen(error.message) > 0);
        CHECK_INT(domain.grid.low, before.grid.low);
        CHECK_INT(domain.grid.high, before.grid.high);
    }
}

/* A19: whatever a text holds, it has a place. */
TEST(domain_takes_every_text)
{
    static const struct {
        const char *text;
        int64_t place;
    } list[] = {
        {"1.5", 150},  {"-0.005", 0},        {"-0.0051", -1}, {"0.005", 1}, {"99", 200},
        {"-99", -100}, {"1e300", 200},       {"1e4000", 200}, {"1/3", 33},  {"", 0},
        {"NULL", 0},   {"NaN", 0},           {"inf", 200},    {"abc", 0},   {"1_000", 0},
        {"1,5", 0},    {" 7 ", 200},         {"+2", 200},     {"0x10", 0},  {"1/0", 0},
        {"-0.0", 0},   {"1e999999999", 200}, {"\xff\xfe", 0}};
    sc_domain domain;
    REQUIRE_OK(set(&domain, "0.01", "-1", "2", NULL));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        CHECK_INT(sc_domain_of_text(&domain, sc_text_of(list[i].text)), list[i].place);
    CHECK_INT(sc_domain_of_text(&domain, sc_text_of(NULL)), 0);
}
