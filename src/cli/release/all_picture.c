/* The picture of `scrim report all --html FILE`: the total after each release, over time. */
#include "cli/display/canvas.h"
#include "cli/display/number_view.h"
#include "cli/release/all_releases.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define WIDTH 720
#define HEIGHT 230
#define LEFT 56
#define RIGHT 700
#define TOP 14
#define BOTTOM 196
#define LABEL_BYTES 32
/* More labels than this are too many for a drawing, and for a phone. */
#define LABELS_MOST 8
#define LABELS_PHONE 4
#define DAY 86400.0
#define MONTH (30.4 * DAY)

typedef struct picture {
    sc_output *output;
    const sc_all_releases *all;
    size_t population;
    bool has_times; /* else releases stand one beside the other */
    double first, last, most;
} picture;

typedef struct ticks {
    double places[4 * LABELS_MOST];
    size_t count;
    enum { HOURS, DAYS_HOURS, DAYS, MONTHS, YEARS } form;
} ticks;

static void put(sc_output *output, const char *markup)
{
    sc_output_text(output, markup);
}

static double place_of(const picture *p, size_t release)
{
    return p->has_times ? (double)sc_past_moment(&p->all->releases[release])
                        : (double)release;
}

static double x_of(const picture *p, double place)
{
    return LEFT + (RIGHT - LEFT) * (place - p->first) / (p->last - p->first);
}

static double y_of(const picture *p, double total)
{
    return BOTTOM - (BOTTOM - TOP) * total / p->most;
}

static void add_tick(const picture *p, ticks *t, double place)
{
    if (place >= p->first && place <= p->last &&
        t->count < sizeof t->places / sizeof *t->places)
        t->places[t->count++] = place;
}

/* The first of a month, counted from January 1900. */
static double start_of_month(int month)
{
    struct tm parts = {.tm_year = month / 12, .tm_mon = month % 12, .tm_mday = 1};
    return (double)timegm(&parts);
}

/* Every month, every second, ... : those whose number is a multiple, so that a year begins with January. */
static void find_months(const picture *p, ticks *t)
{
    static const int strides[] = {1, 2, 3, 6, 12, 24, 60, 120, 600};
    const time_t first = (time_t)p->first;
    struct tm parts;
    size_t i = 0;
    if (gmtime_r(&first, &parts) == NULL)
        return;
    while (i + 1 < sizeof strides / sizeof *strides &&
           (p->last - p->first) / MONTH / strides[i] > LABELS_MOST)
        i++;
    t->form = strides[i] < 12 ? MONTHS : YEARS;
    int month = parts.tm_year * 12 + parts.tm_mon;
    for (month -= month % strides[i]; start_of_month(month) <= p->last;
         month += strides[i])
        add_tick(p, t, start_of_month(month));
}

static void find_days(const picture *p, ticks *t)
{
    static const double steps[] = {60,    300,   900, 3600,    10800,
                                   21600, 43200, DAY, 2 * DAY, 7 * DAY};
    const double range = p->last - p->first;
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof *steps && range / steps[i] > LABELS_MOST - 2)
        i++;
    t->form = range <= DAY ? HOURS : steps[i] < DAY ? DAYS_HOURS : DAYS;
    for (double at = (double)(int64_t)(p->first / steps[i]) * steps[i]; at <= p->last;
         at += steps[i])
        add_tick(p, t, at);
}

static void format_tick(double place, int form, char text[LABEL_BYTES])
{
    const time_t time = (time_t)place;
    struct tm parts;
    text[0] = '\0';
    if (gmtime_r(&time, &parts) != NULL)
        (void)strftime(text, LABEL_BYTES,
                       form == HOURS        ? "%H:%M"
                       : form == DAYS_HOURS ? "%e %b %H:%M"
                       : form == DAYS       ? "%e %b"
                       : form == MONTHS     ? "%b %Y"
                                            : "%Y",
                       &parts);
}

/* A phone shows every second label where there are many. */
static void put_ticks(const picture *p)
{
    ticks t = {.count = 0};
    if (p->last - p->first > 42 * DAY)
        find_months(p, &t);
    else
        find_days(p, &t);
    for (size_t i = 0; i < t.count; i++) {
        const double x = x_of(p, t.places[i]);
        char text[LABEL_BYTES];
        format_tick(t.places[i], (int)t.form, text);
        sc_output_format(
            p->output,
            "<path class=\"grid\" d=\"M%.1f %d V%d\"/><text class=\"tick%s\" "
            "x=\"%.1f\" y=\"%d\">%s</text>\n",
            x, TOP, BOTTOM, t.count > LABELS_PHONE && i % 2 == 1 ? " more" : "", x,
            BOTTOM + 20, text + (text[0] == ' '));
    }
}

static void put_axes(const picture *p)
{
    char text[LABEL_BYTES];
    const double step = sc_axis_step(p->most, 4);
    for (double at = 0; at <= p->most * 1.0001; at += step) {
        snprintf(text, sizeof text, "%.4g", at);
        sc_output_format(p->output,
                         "<path class=\"grid\" d=\"M%d %.1f H%d\"/><text "
                         "class=\"name tick\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                         LEFT, y_of(p, at), RIGHT, LEFT - 8, y_of(p, at) + 4, text);
    }
    if (p->has_times)
        put_ticks(p);
}

static void put_steps(const picture *p)
{
    const sc_past_population *of = &p->all->populations[p->population];
    sc_output_format(p->output, "<path class=\"step\" d=\"M%d %.1f", LEFT,
                     y_of(p, of->before.amount));
    double reached = p->first;
    for (size_t i = 0; i < p->all->count; i++) {
        if (!sc_past_is_listed(p->all, i, p->population))
            continue;
        /* Also where the clock went back. */
        reached = place_of(p, i) > reached ? place_of(p, i) : reached;
        sc_output_format(p->output, " H%.1f V%.1f", x_of(p, reached),
                         y_of(p, p->all->releases[i].total));
    }
    sc_output_format(p->output, " H%d\"/>\n", RIGHT);
}

/* A budget far above what is spent would press the steps together. */
static bool shows_budget(const sc_past_population *population)
{
    const double budget = sc_number_view(population->budget);
    return budget > 0 && budget <= 5 * population->end.amount;
}

/* The time that was asked for as far as it is over; from the first charge to now where it is open. */
static void find_range(picture *p)
{
    const sc_all_releases *all = p->all;
    bool is_begun = false;
    for (size_t i = 0; i < all->count; i++) {
        if (!sc_past_is_listed(all, i, p->population))
            continue;
        const double place = place_of(p, i);
        p->first = is_begun && p->first < place ? p->first : place;
        p->last = is_begun && p->last > place ? p->last : place;
        is_begun = true;
    }
    if (p->has_times) {
        const uint64_t end =
            all->until != 0 && all->until < all->written ? all->until : all->written;
        p->last = (double)end > p->last ? (double)end : p->last;
        p->first = all->from != 0 ? (double)all->from : p->first;
    }
    const double margin = p->last > p->first ? (p->last - p->first) / 40 : 1;
    p->first -= all->from != 0 && p->has_times ? 0 : margin;
    p->last += p->has_times && p->last > p->first ? 0 : margin;
}

static picture plan_picture(sc_output *output, const sc_all_releases *all,
                            size_t population)
{
    const sc_past_population *of = &all->populations[population];
    picture p = {
        .output = output, .all = all, .population = population, .has_times = true};
    for (size_t i = 0; i < all->count; i++)
        p.has_times = p.has_times && sc_past_moment(&all->releases[i]) != 0;
    find_range(&p);
    p.most = 1.08 * (shows_budget(of) && sc_number_view(of->budget) > of->end.amount
                         ? sc_number_view(of->budget)
                         : of->end.amount);
    p.most = p.most > 0 ? p.most : 1;
    return p;
}

static void put_key(sc_output *output, const sc_past_population *of, bool has_joint)
{
    put(output, "<ul class=\"key\"><li><i class=\"o\"></i>sum of ");
    put(output, of->unit);
    put(output, "</li>");
    if (shows_budget(of))
        sc_output_format(output, "<li><i class=\"dashed\"></i>the whole %s</li>",
                         of->is_share ? "share" : "budget");
    if (has_joint)
        put(output, "<li><i class=\"r\"></i>proven for all of them together</li>");
    put(output, "</ul>\n");
}

void sc_all_picture_write(sc_output *output, const sc_all_releases *all,
                          size_t population)
{
    const sc_past_population *of = &all->populations[population];
    const picture p = plan_picture(output, all, population);
    const bool has_joint = of->bound.joint[0] != '\0' && strcmp(of->unit, "epsilon") == 0;
    char sum[SC_JOINT_BYTES];
    sc_sum_format(of->end.amount, sum);
    sc_output_format(output,
                     "<figure>\n<figcaption>Total over time%s</figcaption>\n"
                     "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"the total "
                     "rises to %s %s\">\n",
                     p.has_times && p.last - p.first <= DAY ? " (UTC)" : "", WIDTH,
                     HEIGHT, of->unit, sum);
    put_axes(&p);
    if (shows_budget(of))
        sc_output_format(output, "<path class=\"limit\" d=\"M%d %.1f H%d\"/>\n", LEFT,
                         y_of(&p, sc_number_view(of->budget)), RIGHT);
    put_steps(&p);
    if (has_joint)
        sc_output_format(output,
                         "<circle class=\"joint\" cx=\"%d\" cy=\"%.1f\" r=\"6\"/>\n",
                         RIGHT, y_of(&p, sc_number_view(of->bound.joint)));
    put(output, "</svg>\n</figure>\n");
    put_key(output, of, has_joint);
}
