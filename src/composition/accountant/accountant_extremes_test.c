/* Parameters and questions at the ends of what numbers can say (A13): every accountant has an
 * answer, or a reason why not, after a bounded number of steps. */
#include "bags.h"
#include "composition/accountant/accountants.h"

#include <stdio.h>

static const char *const epsilons[] = {"1e-300", "1e-9", "50", "700"};
static const char *const deltas[] = {"0", "1e-300", "1e-30", "0.9999999999999999"};

/* No bound is below 0 or not a number, and the lower one is not above the upper. */
static void check_bounds(const char *line, const sc_accountant *by, const char *at,
                         const sc_enclosure *e)
{
    const double upper = e->has_upper ? sc_ball_upper(&e->upper) : 0;
    const double lower = e->has_lower ? sc_ball_lower(&e->lower) : 0;
    if (!(upper >= 0) || !(lower >= 0) || (e->has_upper && !(lower <= upper)))
        CHECK_FAIL("%s by %s at %s: from %g to %g", line, by->name, at, lower, upper);
}

static void ask(const char *line, const sc_bag *bag, const sc_accountant *by,
                const char *at, bool for_epsilon)
{
    sc_enclosure e;
    sc_enclosure_init(&e);
    e.has_upper = (for_epsilon ? bags_epsilon : bags_delta)(by, bag, at, &e);
    check_bounds(line, by, at, &e);
    sc_enclosure_clear(&e);
}

static void ask_all(const char *line)
{
    sc_bag bag;
    scrim_error error = {0};
    const sc_accountant *by;
    sc_bag_init(&bag);
    const scrim_status status = sc_bag_parse(line, &bag, &error);
    if (status != SCRIM_OK && !CHECK(error.message[0] != '\0'))
        CHECK_FAIL("%s is refused without a word", line);
    for (size_t i = 0; status == SCRIM_OK && (by = sc_accountant_at(i)) != NULL; i++) {
        for (size_t j = 0; j < COUNT(deltas); j++)
            ask(line, &bag, by, deltas[j], true);
        for (size_t j = 0; j < COUNT(epsilons); j++)
            ask(line, &bag, by, epsilons[j], false);
    }
    bags_close(&bag);
}

TEST(A13_accountants_answer_extreme_questions)
{
    CLAIM("accountant.sound");
    static const struct {
        const char *before, *after;
    } forms[] = {{"", ""}, {"", " x1000"}, {"poisson rate=1e-9 ", " x1000"}};
    for (size_t i = 0; i < COUNT(forms) && (i == 0 || check_is_long()); i++)
        for (size_t j = 0; j < COUNT(epsilons); j++) {
            char line[96];
            snprintf(line, sizeof line, "%slaplace epsilon=%s%s", forms[i].before,
                     epsilons[j], forms[i].after);
            ask_all(line);
        }
    static const char *const others[] = {
        "gaussian sigma=1/1000",
        "continuous-gaussian sigma=1e9 x1000000000000",
        "gaussian sigma=2^60",
        "continuous-laplace scale=2^60 x2^40",
        "laplace epsilon=2^-60 x1000000",
        "threshold-gaussian epsilon=1 delta=1e-6 max-groups=1000 x100",
    };
    for (size_t i = 0; i < (check_is_long() ? COUNT(others) : 1); i++)
        ask_all(others[i]);
}
