#include "cli/sheet/remainder_view.h"

#include <stdio.h>
#include <string.h>

static bool has_share(const scrim_remainder *left)
{
    return left->share[0] != '\0' || left->share_delta[0] != '\0';
}

bool sc_remainder_format(const char *unit, const scrim_remainder *left,
                         char text[SC_REMAINDER_BYTES])
{
    char share[SC_AMOUNT_BYTES], whole[SC_AMOUNT_BYTES], number[SC_BOUND_BYTES];
    text[0] = '\0';
    if (!has_share(left))
        return false;
    sc_amount_format(unit, left->share, left->share_delta, false, share);
    sc_amount_format(unit, left->whole, left->whole_delta, false, whole);
    /* Both are numbers of one unit: it is named once. */
    if (strchr(share, ',') == NULL && strchr(whole, ',') == NULL &&
        left->share[0] != '\0') {
        sc_number_format_lower(left->whole, number);
        snprintf(text, SC_REMAINDER_BYTES, "%s of your share, %s of the whole budget",
                 share, number);
    } else {
        snprintf(text, SC_REMAINDER_BYTES, "%s of your share; %s of the whole budget",
                 share, whole);
    }
    return true;
}

#define REFUSED ", which is not enough: the query would be refused (status 4)"

static bool is_below(const char *left, const char *cost)
{
    return left[0] != '\0' && sc_number_view(left) < sc_number_view(cost);
}

void sc_remainder_lack(const char *unit, const scrim_remainder *left, const char *amount,
                       const char *delta, char text[SC_REMAINDER_BYTES])
{
    char share[SC_AMOUNT_BYTES], whole[SC_AMOUNT_BYTES];
    sc_amount_format(unit, left->whole, left->whole_delta, false, whole);
    if (!has_share(left)) {
        snprintf(text, SC_REMAINDER_BYTES, "%s" REFUSED, whole);
        return;
    }
    sc_amount_format(unit, left->share, left->share_delta, false, share);
    if (is_below(left->whole, amount) || is_below(left->whole_delta, delta))
        snprintf(text, SC_REMAINDER_BYTES,
                 "the whole budget has %s left" REFUSED "; your share has %s", whole,
                 share);
    else
        snprintf(text, SC_REMAINDER_BYTES,
                 "your share has %s left" REFUSED "; the whole budget has %s", share,
                 whole);
}

void sc_remainder_json(sc_json *json, const scrim_remainder *left)
{
    if (!has_share(left))
        return;
    sc_json_text_or_null(json, "share_left", left->share);
    sc_json_text_or_null(json, "share_left_delta", left->share_delta);
    sc_json_text(json, "whole_left", left->whole);
    sc_json_text(json, "whole_left_delta", left->whole_delta);
}

void sc_amount_write(sc_output *output, const char *unit, const char *amount,
                     const char *delta, bool upper)
{
    char text[SC_AMOUNT_BYTES];
    sc_output_text(output, sc_amount_format(unit, amount, delta, upper, text));
}
