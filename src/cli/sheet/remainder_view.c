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

void sc_remainder_json(sc_json *json, const scrim_remainder *left)
{
    if (!has_share(left))
        return;
    sc_json_text_or_null(json, "share_left", left->share);
    sc_json_text_or_null(json, "share_left_delta", left->share_delta);
    sc_json_text(json, "whole_left", left->whole);
    sc_json_text(json, "whole_left_delta", left->whole_delta);
}
