#include "check.h"
#include "experiment/heights.h"

TEST(heights_have_statistics)
{
    static const struct {
        sc_heights x;
        size_t max, max_2, mode, answer;
        int64_t total, most;
    } list[] = {{{4, {0, 4, 2, 2, 4}}, 4, 4, 1, 1, 12, 4},
                {{4, {0, 1, 3, 1, 0}}, 3, 2, 2, 2, 5, 3},
                {{4, {0, 0, 1, 1, 1}}, 4, 0, 2, 2, 3, 1},
                {{4, {0, 0, 0, 0, 0}}, 0, 0, 1, 0, 0, 0},
                {{1, {0, 2}}, 1, 1, 1, 1, 2, 2}};
    const sc_height_statistic max = {false, 1}, max_2 = {false, 2}, mode = {true, 1};
    for (size_t i = 0; i < COUNT(list); i++) {
        const sc_heights *x = &list[i].x;
        CHECK_INT(sc_heights_value(&max, x), list[i].max);
        CHECK_INT(sc_heights_answer(&max, x), list[i].max);
        CHECK_INT(sc_heights_value(&max_2, x), list[i].max_2);
        CHECK_INT(sc_heights_value(&mode, x), list[i].mode);
        CHECK_INT(sc_heights_answer(&mode, x), list[i].answer); /* EMPTY counts as 0 */
        CHECK_INT(sc_heights_total(x), list[i].total);
        CHECK_INT(sc_heights_most(x), list[i].most);
    }
}
