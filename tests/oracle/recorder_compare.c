/* The differences that two runs on neighbours may have. */
#include "base/memory.h"
#include "recorder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void
say(sc_recorder_verdict *verdict, size_t call, const char *format, ...)
{
    va_list arguments;
    if (!verdict->holds)
        return; /* the first */
    verdict->holds = false;
    verdict->call = call;
    va_start(arguments, format);
    vsnprintf(verdict->text, sizeof verdict->text, format, arguments);
    va_end(arguments);
}

/* The value that belongs to a place of another call: to the same key, of which a call may have
 * several values, in their order. 0 where the key has no value. */
static sc_int128 by_key(const sc_recorder_call *call, const sc_recorder_call *other,
                        size_t place, bool *is_there)
{
    const size_t at = sc_recorder_place(call, other->keys, place);
    *is_there = at < call->count;
    return *is_there ? call->input[at] : 0;
}

/* How far apart two inputs are. */
typedef struct distance {
    sc_integer sum, squares; /* of differences in size */
    sc_integer largest;
    uint64_t places; /* that differ */
} distance;

static void distance_init(distance *d)
{
    *d = (distance){.places = 0};
    sc_integer_init(&d->sum);
    sc_integer_init(&d->squares);
    sc_integer_init(&d->largest);
}

static void distance_clear(distance *d)
{
    sc_integer_clear(&d->sum);
    sc_integer_clear(&d->squares);
    sc_integer_clear(&d->largest);
}

static void distance_add(distance *d, sc_int128 a, sc_int128 b)
{
    sc_integer x, y;
    if (a == b)
        return;
    sc_integer_init(&x);
    sc_integer_init(&y);
    sc_integer_set_int128(&x, a > b ? a : b);
    sc_integer_set_int128(&y, a > b ? b : a);
    sc_integer_sub(&x, &x, &y);
    sc_integer_add(&d->sum, &d->sum, &x);
    sc_integer_mul(&y, &x, &x);
    sc_integer_add(&d->squares, &d->squares, &y);
    if (sc_integer_compare(&x, &d->largest) > 0)
        sc_integer_set(&d->largest, &x);
    d->places++;
    sc_integer_clear(&y);
    sc_integer_clear(&x);
}

static void distance_of(const sc_recorder_call *a, const sc_recorder_call *b, distance *d)
{
    if (a->keys == NULL) {
        for (size_t i = 0; i < a->count; i++)
            distance_add(d, a->input[i], b->input[i]);
        return;
    }
    bool is_there = false;
    for (size_t i = 0; i < a->count; i++)
        distance_add(d, a->input[i], by_key(b, a, i, &is_there));
    for (size_t i = 0; i < b->count; i++) {
        (void)by_key(a, b, i, &is_there);
        if (!is_there)
            distance_add(d, 0, b->input[i]);
    }
}

/* Is x at most the sensitivity, or its square? */
static bool is_within(const sc_integer *x, const sc_ratio *sensitivity, bool is_squared)
{
    sc_ratio number, most;
    sc_ratio_init(&number);
    sc_ratio_init(&most);
    sc_ratio_set_integer(&number, x);
    sc_ratio_set(&most, sensitivity);
    if (is_squared)
        sc_ratio_mul(&most, &most, sensitivity);
    bool is = sc_ratio_compare(&number, &most) <= 0;
    sc_ratio_clear(&most);
    sc_ratio_clear(&number);
    return is;
}

static int compare_rows(const void *a, const void *b)
{
    sc_int128 x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* How many rows left and how many entered; false without memory. */
static bool count_rows(const sc_recorder_call *a, const sc_recorder_call *b,
                       uint64_t *left, uint64_t *entered)
{
    sc_int128 *x = sc_allocate(a->count, sizeof *x),
              *y = sc_allocate(b->count, sizeof *y);
    size_t i = 0, j = 0;
    *left = *entered = 0;
    if (x != NULL && y != NULL) {
        if (a->count > 0)
            memcpy(x, a->input, a->count * sizeof *x);
        if (b->count > 0)
            memcpy(y, b->input, b->count * sizeof *y);
        qsort(x, a->count, sizeof *x, compare_rows);
        qsort(y, b->count, sizeof *y, compare_rows);
        while (i < a->count || j < b->count) {
            bool from_x = j == b->count || (i < a->count && x[i] < y[j]);
            bool from_y = i == a->count || (j < b->count && y[j] < x[i]);
            *left += from_x;
            *entered += from_y;
            i += !from_y;
            j += !from_x;
        }
    }
    bool done = x != NULL && y != NULL;
    sc_free(x);
    sc_free(y);
    return done;
}

/* Rows of one unit that left or entered draws of a part: each draw by itself, or several draws that share the rows of one copy. */
typedef struct copies_used {
    uint64_t *rows; /* by copy, in the order in which they were begun */
    uint64_t count;
} copies_used;

/* Puts rows into the first copy that has room for them. */
static void use_copy(copies_used *used, uint64_t rows, uint64_t most)
{
    uint64_t i = 0;
    while (i < used->count && used->rows[i] + rows > most)
        i++;
    if (rows > 0)
        used->rows[i] += rows;
    if (rows > 0 && i == used->count)
        used->count++;
}

/* Where a unit left and another entered under a claim for add-remove, both count; under replace the one replaces the other. */
static void compare_row_lists(const sc_recorder_call *a, const sc_recorder_call *b,
                              size_t at, copies_used *used, sc_recorder_verdict *out)
{
    uint64_t left = 0, entered = 0;
    if (!count_rows(a, b, &left, &entered)) {
        say(out, at, "out of memory to compare");
        return;
    }
    if (left > a->most || entered > a->most)
        say(out, at, "%llu rows left and %llu entered, where a unit has %llu: %.200s",
            (unsigned long long)left, (unsigned long long)entered,
            (unsigned long long)a->most, a->line);
    if (a->neighbours == SCRIM_ADD_REMOVE) {
        use_copy(used, left, a->most);
        use_copy(used, entered, a->most);
    } else {
        use_copy(used, left > entered ? left : entered, a->most);
    }
}

/* The copies that all draws of a part up to this one use. */
static uint64_t copies_of_rows(const sc_recorder *first, const sc_recorder *second,
                               size_t at, sc_recorder_verdict *out)
{
    copies_used used = {.rows = sc_allocate(2 * at + 2, sizeof *used.rows)};
    const size_t part = sc_recorder_at(first, at)->part;
    if (used.rows == NULL)
        say(out, at, "out of memory to compare");
    for (size_t i = part == SIZE_MAX ? at : 0; used.rows != NULL && i <= at; i++)
        if (sc_recorder_at(first, i)->part == part)
            compare_row_lists(sc_recorder_at(first, i), sc_recorder_at(second, i), at,
                              &used, out);
    sc_free(used.rows);
    return used.count;
}

/* Noise on values is each value's own: draws of one part, one after the other, are one draw of all
 * their values, and one norm. */
static bool is_noise(const sc_recorder_call *call)
{
    return call->part != SIZE_MAX &&
           (call->claim == SC_RECORDER_L1 || call->claim == SC_RECORDER_L2 ||
            call->claim == SC_RECORDER_SQUARES);
}

static uint64_t compare_values(const sc_recorder *first, const sc_recorder *second,
                               size_t at, sc_recorder_verdict *out)
{
    const sc_recorder_call *a = sc_recorder_at(first, at);
    distance d;
    sc_integer one;
    distance_init(&d);
    sc_integer_init(&one);
    sc_integer_set_int128(&one, 1);
    for (size_t i = is_noise(a) ? 0 : at; i <= at; i++)
        if (i == at || sc_recorder_at(first, i)->part == a->part)
            distance_of(sc_recorder_at(first, i), sc_recorder_at(second, i), &d);
    bool holds = true;
    switch (a->claim) {
    case SC_RECORDER_L1:
        holds = is_within(&d.sum, &a->sensitivity, false);
        break;
    case SC_RECORDER_L2:
        holds = is_within(&d.squares, &a->sensitivity, true);
        break;
    case SC_RECORDER_SQUARES:
        holds = is_within(&d.squares, &a->sensitivity, false);
        break;
    case SC_RECORDER_EACH:
        holds = is_within(&d.largest, &a->sensitivity, false);
        break;
    case SC_RECORDER_UNITS:
        holds = d.places <= a->most && sc_integer_compare(&d.largest, &one) <= 0;
        break;
    case SC_RECORDER_ROWS:
    case SC_RECORDER_ONE:
        holds = d.places <= 1;
        break;
    }
    if (!holds)
        say(out, at, "the inputs differ by more than is claimed: %.200s", a->line);
    uint64_t changes = d.places > 0 && !is_noise(a);
    sc_integer_clear(&one);
    distance_clear(&d);
    return changes;
}

static bool is_same_call(const sc_recorder_call *a, const sc_recorder_call *b, size_t at,
                         sc_recorder_verdict *out)
{
    if (strcmp(a->line, b->line) != 0)
        say(out, at, "another measurement: %.140s / %.140s", a->line, b->line);
    else if (a->part != b->part || (a->keys == NULL) != (b->keys == NULL))
        say(out, at, "another part: %.200s", a->line);
    else if (a->claim != SC_RECORDER_ROWS && a->keys == NULL && a->count != b->count)
        say(out, at, "%zu values and %zu: %.200s", a->count, b->count, a->line);
    return out->holds;
}

void sc_recorder_compare(const sc_recorder *a, const sc_recorder *b,
                         sc_recorder_verdict *out)
{
    const size_t count = sc_recorder_count(a);
    *out = (sc_recorder_verdict){.holds = true};
    uint64_t *changes = sc_allocate(count, sizeof *changes);
    if (changes == NULL)
        say(out, 0, "out of memory to compare");
    for (size_t i = 0; out->holds && i < count && i < sc_recorder_count(b); i++) {
        const sc_recorder_call *x = sc_recorder_at(a, i), *y = sc_recorder_at(b, i);
        if (!is_same_call(x, y, i, out))
            break;
        const bool is_rows = x->claim == SC_RECORDER_ROWS;
        changes[i] = is_rows ? 0 : compare_values(a, b, i, out);
        uint64_t all = is_rows ? copies_of_rows(a, b, i, out) : 0;
        for (size_t j = 0; !is_rows && x->part != SIZE_MAX && j <= i; j++)
            all += sc_recorder_at(a, j)->part == x->part ? changes[j] : 0;
        if (all > x->copies)
            say(out, i, "%llu draws change, where %llu are claimed: %.200s",
                (unsigned long long)all, (unsigned long long)x->copies, x->line);
    }
    if (out->holds && count != sc_recorder_count(b))
        say(out, count, "%zu draws and %zu", count, sc_recorder_count(b));
    sc_free(changes);
}
