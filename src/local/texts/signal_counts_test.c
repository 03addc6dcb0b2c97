#include "check.h"
#include "local/texts/signal_counts.h"
#include "vectors.h"

#include <math.h>

static double number(const json_t *row, const char *name)
{
    const char *text = vectors_text(row, name);
    return text == NULL ? (double)vectors_number(row, name) : strtod(text, NULL);
}

TEST(signal_counts_are_those_of_the_vectors)
{
    const json_t *rows = vectors_load("local-and-accounting", "rappor_debias"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const double reports = number(row, "N");
        const sc_signal_chances chances = sc_signal_chances_of(
            number(row, "f"), number(row, "p_if_0"), number(row, "q_if_1"));
        const double estimate =
            sc_signal_estimate(&chances, number(row, "count"), reports);
        CHECK(fabs(estimate - number(row, "estimate")) < 1e-8);
        CHECK_NEAR(sqrt(sc_signal_variance(&chances, estimate, reports)),
                   number(row, "std_error"), 1e-12);
    }
    CHECK_INT(i, 3);
}
