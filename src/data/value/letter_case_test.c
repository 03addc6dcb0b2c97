#include "check.h"
#include "data/value/letter_case.h"

TEST(letter_case_known_letters)
{
    CLAIM("letter-case.simple");
    static const uint32_t pairs[][2] = {
        {'A', 'a'},        {'Z', 'z'},       {0xc4, 0xe4},     {0xde, 0xfe},
        {0x100, 0x101},    {0x178, 0xff},    {0x391, 0x3b1},   {0x3a3, 0x3c3},
        {0x410, 0x430},    {0x42f, 0x44f},   {0x531, 0x561},   {0x10a0, 0x2d00},
        {0x13a0, 0xab70},  {0x1e00, 0x1e01}, {0x1f88, 0x1f80}, {0x2160, 0x2170},
        {0x24b6, 0x24d0},  {0xa640, 0xa641}, {0xff21, 0xff41}, {0x10400, 0x10428},
        {0x1e900, 0x1e922}};
    static const uint32_t none[] = {0,      '0',     '@',      '[',       '`',
                                    '{',    0xd7,    0xdf,     0x138,     0x5d0,
                                    0x627,  0x3042,  0x4e00,   0xd800,    0xfb00,
                                    0xffff, 0x1f600, 0x10ffff, 0xffffffff};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        CHECK_INT(sc_letter_case(pairs[i][0], false), pairs[i][1]);
        CHECK_INT(sc_letter_case(pairs[i][1], true), pairs[i][0]);
        CHECK_INT(sc_letter_case(pairs[i][0], true), pairs[i][0]);
        CHECK_INT(sc_letter_case(pairs[i][1], false), pairs[i][1]);
    }
    for (size_t i = 0; i < COUNT(none); i++)
        for (int is_upper = 0; is_upper < 2; is_upper++)
            CHECK_INT(sc_letter_case(none[i], is_upper != 0), none[i]);
    /* One way only: both sigmas have one capital, the dotted capital I is small without its dot. */
    CHECK_INT(sc_letter_case(0x3c2, true), 0x3a3);
    CHECK_INT(sc_letter_case(0x130, false), 'i');
    CHECK_INT(sc_letter_case(0x131, true), 'I');
    CHECK_INT(sc_letter_case(0x212a, false), 'k');
    CHECK_INT(sc_letter_case(0x1c5, true), 0x1c4);
    CHECK_INT(sc_letter_case(0x1c5, false), 0x1c6);
}

TEST(letter_case_stays_within_unicode)
{
    CLAIM("letter-case.simple");
    size_t mapped[2] = {0, 0};
    for (uint32_t c = 0; c < 0x110000; c++)
        for (int is_upper = 0; is_upper < 2; is_upper++) {
            const uint32_t to = sc_letter_case(c, is_upper != 0);
            const bool is_surrogate = to >= 0xd800 && to < 0xe000;
            mapped[is_upper] += to != c;
            if (to == c)
                continue;
            if (!CHECK(to < 0x110000 && !is_surrogate) ||
                !CHECK_INT(sc_letter_case(to, is_upper != 0), to) ||
                !CHECK((c < 0x80) == (to < 0x80) || c >= 0x80))
                return;
        }
    CHECK(mapped[0] > 1000 && mapped[1] > 1000);
    CHECK(mapped[0] < 2000 && mapped[1] < 2000);
}
