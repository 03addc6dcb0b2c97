#include "check.h"
#include "model/data_number.h"
#include "model/vector_loss.h"

#include <stdio.h>

static sc_grid grid_of(const char *step, const char *lower, const char *upper)
{
    sc_grid grid = {0};
    sc_ratio numbers[3];
    const char *const texts[] = {step, lower, upper};
    for (size_t i = 0; i < 3; i++) {
        sc_ratio_init(&numbers[i]);
        CHECK_STATUS(sc_ratio_parse(sc_text_of(texts[i]), &numbers[i], NULL), SCRIM_OK);
    }
    CHECK_STATUS(sc_grid_init(&grid, &numbers[0], &numbers[1], &numbers[2], NULL, NULL),
                 SCRIM_OK);
    for (size_t i = 0; i < 3; i++)
        sc_ratio_clear(&numbers[i]);
    return grid;
}

/* '=' as it is, '<' below, '>' above, '~' rounded, '?' not read. */
static int letter(const sc_landing *landing)
{
    CHECK(landing->is_below + landing->is_above + landing->is_rounded <= 1);
    return landing->is_below     ? '<'
           : landing->is_above   ? '>'
           : landing->is_rounded ? '~'
                                 : '=';
}

static int of_text(const sc_grid *grid, const char *text)
{
    sc_landing landing;
    int64_t place = 0;
    const bool is_read = sc_landing_of_text(grid, sc_text_of(text), &landing);
    CHECK(is_read == sc_data_number_read(grid, sc_text_of(text), &place));
    if (!is_read)
        return '?';
    CHECK_INT(landing.place, place);
    return letter(&landing);
}

TEST(landing_tells_how_a_text_came_to_its_place)
{
    CLAIM("landing.exact");
    static const struct {
        const char *text;
        char years, cents;
    } list[] = {{"0", '=', '='},
                {"-0", '=', '='},
                {"120", '=', '='},
                {"120.000", '=', '='},
                {"1.2e2", '=', '='},
                {"121", '>', '>'},
                {"120.0000000000000000000000000001", '>', '>'},
                {"-1e-4000", '<', '<'},
                {"1e-4000", '~', '~'},
                {"0e-4000", '=', '='},
                {"0e4000", '=', '='},
                {"1e4000", '>', '>'},
                {"-inf", '<', '<'},
                {"infinity", '>', '>'},
                {"-0.3", '<', '<'},
                {"30.5", '~', '='},
                {"30.25", '~', '='},
                {"30.255", '~', '~'},
                {"119.999", '~', '~'},
                {"2.50e-1", '~', '='},
                {"2.5e-3", '~', '~'},
                {" 7\t", '=', '='},
                {"nan", '?', '?'},
                {"", '?', '?'},
                {"1/2", '?', '?'}};
    const sc_grid years = grid_of("1", "0", "120"), cents = grid_of("0.01", "0", "120");
    for (size_t i = 0; i < COUNT(list); i++) {
        CHECK_INT(of_text(&years, list[i].text), list[i].years);
        CHECK_INT(of_text(&cents, list[i].text), list[i].cents);
    }
    /* A digit behind those that are kept still counts. */
    char text[2000];
    snprintf(text, sizeof text, "120.%01500d", 0);
    CHECK_INT(of_text(&cents, text), '=');
    snprintf(text, sizeof text, "120.%01500d", 1);
    CHECK_INT(of_text(&cents, text), '>');
    snprintf(text, sizeof text, "12.%01500d", 1);
    CHECK_INT(of_text(&cents, text), '~');
}
