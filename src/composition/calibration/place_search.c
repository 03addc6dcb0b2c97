/* The doubles here choose where to ask next; nothing is decided by them. */
#include "composition/calibration/place_search.h"

#include <math.h>

typedef struct answer {
    int64_t place;
    bool holds;
    double miss;
} answer;

static scrim_status ask(const sc_place_question *question, int64_t place, answer *out,
                        scrim_error *error)
{
    out->place = place;
    out->holds = false;
    out->miss = HUGE_VAL;
    return question->answer(question->context, place, &out->holds, &out->miss, error);
}

static int64_t between(int64_t place, int64_t first, int64_t last)
{
    return place < first ? first : place > last ? last : place;
}

/* From the first answer on in growing steps, up from a no and down from a yes, until the answer is
 * another or the places end. */
static scrim_status bracket(const sc_place_question *question,
                            const sc_place_range *range, answer *no, bool *has_no,
                            answer *yes, bool *has_yes, scrim_error *error)
{
    answer next;
    int64_t step = range->step;
    scrim_status status =
        ask(question, between(range->start, range->first, range->last), &next, error);
    *has_no = *has_yes = false;
    while (status == SCRIM_OK) {
        if (next.holds)
            *yes = next, *has_yes = true;
        else
            *no = next, *has_no = true;
        if ((*has_no && *has_yes) ||
            next.place == (next.holds ? range->first : range->last))
            break;
        /* No step is so large that it could overflow: range and step are of 2^62 at most. */
        int64_t place = next.holds ? next.place - step : next.place + step;
        status = ask(question, between(place, range->first, range->last), &next, error);
        if (step < INT64_C(1) << 40)
            step *= 2;
    }
    return status;
}

/* Where a straight line between the two misses crosses 0, strictly between them; the middle where
 * there is no such line. */
static int64_t crossing(const answer *no, const answer *yes)
{
    int64_t middle = no->place + (yes->place - no->place) / 2;
    double extent = no->miss - yes->miss;
    if (!isfinite(no->miss) || !isfinite(yes->miss) || !(extent > 0))
        return middle;
    double part = no->miss / extent * (double)(yes->place - no->place);
    int64_t place = no->place + (int64_t)part;
    return between(place, no->place + 1, yes->place - 1);
}

scrim_status sc_place_search(const sc_place_question *question,
                             const sc_place_range *range, sc_place_found *out,
                             scrim_error *error)
{
    answer no = {0}, yes = {0}, next = {0};
    bool has_no, has_yes;
    scrim_status status = bracket(question, range, &no, &has_no, &yes, &has_yes, error);
    if (status != SCRIM_OK)
        return status;
    int64_t slack = 1; /* beside the crossing: so that both ends come near */
    for (int turn = 0; has_no && has_yes && yes.place - no.place > 1; turn++) {
        int64_t extent = yes.place - no.place;
        int64_t place = crossing(&no, &yes);
        if (turn % 4 == 3)
            place = no.place + extent / 2;
        else if (turn > 0)
            place = between(place + (next.holds ? -slack : slack), no.place + 1,
                            yes.place - 1);
        status = ask(question, place, &next, error);
        if (status != SCRIM_OK)
            return status;
        if (next.holds)
            yes = next;
        else
            no = next;
        slack = slack < extent / 8 ? slack * 2 : 1;
    }
    *out = (sc_place_found){has_yes, has_yes ? yes.place : 0, has_no && has_yes};
    return SCRIM_OK;
}
