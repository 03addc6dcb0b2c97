/* The page of `scrim report all --html FILE`. */
#include "cli/display/canvas.h"
#include "cli/display/number_view.h"
#include "cli/display/page.h"
#include "cli/display/signed_file.h"
#include "cli/release/all_releases.h"
#include "cli/release/report_html.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The same style as a label's, with a wide table that is small in print. */
static const char more_style[] =
    "main{max-width:960px}\n"
    "td code{display:block;min-width:13em}\n"
    "@media (max-width:620px){svg{font-size:22px}td,th{font-size:.88rem}}\n"
    "td.number{white-space:nowrap}svg{overflow:visible}\n"
    "h2:first-of-type{border-top:0;margin-top:0;padding-top:0}\n"
    ".step{fill:none;stroke:var(--blue);stroke-width:2.5}\n"
    ".limit{fill:none;stroke:var(--soft);stroke-width:1.5;stroke-dasharray:6 4}\n"
    ".joint{fill:var(--orange)}\n"
    "@media print{body{font-size:9.5pt;line-height:1.3}td,th{padding:1px 8px 1px "
    "0}h1{font-size:1.7rem}"
    ".big b{font-size:1.6rem}.rule{border-top-width:4px;margin:8px 0}"
    "svg{max-height:6cm}@page{margin:14mm}}\n";

static void put(sc_output *output, const char *markup)
{
    sc_output_text(output, markup);
}

static void put_cell(sc_output *output, const char *start, const char *text)
{
    put(output, start);
    sc_markup_text(output, text);
    put(output, "</td>");
}

/* The picture: the total after each release, over time. */

#define WIDTH 720
#define HEIGHT 230
#define LEFT 56
#define RIGHT 700
#define TOP 14
#define BOTTOM 196
#define LABEL_BYTES 32
#define LABELS_MOST 8

typedef struct picture {
    sc_output *output;
    const sc_all_releases *all;
    size_t population;
    bool has_times; /* else releases stand one beside the other */
    double first, last, most;
} picture;

/* Is it in the time, and of the population? */
static bool is_listed(const sc_all_releases *all, size_t release, size_t population)
{
    return all->releases[release].population == population &&
           !all->releases[release].is_before;
}

static double place_of(const picture *p, size_t release)
{
    return p->has_times ? (double)p->all->releases[release].time : (double)release;
}

static double x_of(const picture *p, double place)
{
    return LEFT + (RIGHT - LEFT) * (place - p->first) / (p->last - p->first);
}

static double y_of(const picture *p, double total)
{
    return BOTTOM - (BOTTOM - TOP) * total / p->most;
}

/* Round steps of time in seconds, up to a week; longer ones are months. */
static const double steps[] = {60, 300, 900, 3600, 10800, 21600, 86400, 172800, 604800};

static void format_tick(double place, double step, char text[LABEL_BYTES])
{
    const time_t time = (time_t)place;
    struct tm parts;
    text[0] = '\0';
    if (gmtime_r(&time, &parts) == NULL)
        return;
    (void)strftime(text, LABEL_BYTES,
                   step == 0       ? "%b %Y"
                   : step >= 86400 ? "%e %b"
                                   : "%e %b %H:%M",
                   &parts);
}

static void put_tick(const picture *p, double place, const char *text)
{
    const double x = x_of(p, place);
    if (x < LEFT - 1 || x > RIGHT + 1)
        return;
    sc_output_format(p->output,
                     "<path class=\"grid\" d=\"M%.1f %d V%d\"/><text class=\"tick\" "
                     "x=\"%.1f\" y=\"%d\">%s</text>\n",
                     x, TOP, BOTTOM, x, BOTTOM + 20, text + (text[0] == ' '));
}

/* The first of a month that is `months` after that of a time. */
static double month_after(double place, int months)
{
    const time_t time = (time_t)place;
    struct tm parts;
    if (gmtime_r(&time, &parts) == NULL)
        return place;
    parts = (struct tm){
        .tm_year = parts.tm_year, .tm_mon = parts.tm_mon + months, .tm_mday = 1};
    return (double)timegm(&parts);
}

static void put_months(const picture *p)
{
    char text[LABEL_BYTES];
    const double months = (p->last - p->first) / (30.4 * 86400);
    int stride = 1;
    while (months / stride > LABELS_MOST)
        stride *= stride == 2 || stride == 4 ? 3 - stride / 4 : 2;
    for (int i = 1; month_after(p->first, i) <= p->last; i += stride) {
        format_tick(month_after(p->first, i), 0, text);
        put_tick(p, month_after(p->first, i), text);
    }
}

static void put_days(const picture *p)
{
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof *steps &&
           (p->last - p->first) / steps[i] > LABELS_MOST - 2)
        i++;
    const double step = steps[i];
    for (double at = (double)((int64_t)(p->first / step) + 1) * step; at <= p->last;
         at += step) {
        char text[LABEL_BYTES];
        format_tick(at, step, text);
        put_tick(p, at, text);
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
    if (!p->has_times)
        return;
    if (p->last - p->first > 42.0 * 86400)
        put_months(p);
    else
        put_days(p);
}

static void put_steps(const picture *p)
{
    const sc_past_population *of = &p->all->populations[p->population];
    sc_output_format(p->output, "<path class=\"step\" d=\"M%d %.1f", LEFT,
                     y_of(p, of->before.amount));
    for (size_t i = 0; i < p->all->count; i++)
        if (is_listed(p->all, i, p->population))
            sc_output_format(p->output, " H%.1f V%.1f", x_of(p, place_of(p, i)),
                             y_of(p, p->all->releases[i].total));
    sc_output_format(p->output, " H%d\"/>\n", RIGHT);
}

/* A budget far above what is spent would press the steps together. */
static bool shows_budget(const sc_past_population *population)
{
    const double budget = sc_number_view(population->budget);
    return budget > 0 && budget <= 5 * population->end.amount;
}

static picture plan_picture(sc_output *output, const sc_all_releases *all,
                            size_t population)
{
    const sc_past_population *of = &all->populations[population];
    picture p = {
        .output = output, .all = all, .population = population, .has_times = true};
    for (size_t i = 0; i < all->count; i++)
        p.has_times = p.has_times && all->releases[i].time != 0;
    bool is_begun = false;
    for (size_t i = 0; i < all->count; i++) {
        if (!is_listed(all, i, population))
            continue;
        p.first = is_begun ? p.first : place_of(&p, i);
        p.last = place_of(&p, i);
        is_begun = true;
    }
    if (p.has_times && all->from != 0)
        p.first = (double)all->from;
    const double margin = p.last > p.first ? (p.last - p.first) / 40 : 1;
    p.first -= all->from != 0 ? 0 : margin;
    p.last += margin;
    p.most = 1.08 * (shows_budget(of) && sc_number_view(of->budget) > of->end.amount
                         ? sc_number_view(of->budget)
                         : of->end.amount);
    p.most = p.most > 0 ? p.most : 1;
    return p;
}

static void put_picture(sc_output *output, const sc_all_releases *all, size_t population)
{
    const sc_past_population *of = &all->populations[population];
    const picture p = plan_picture(output, all, population);
    char sum[SC_JOINT_BYTES];
    sc_sum_format(of->end.amount, sum);
    put(output, "<figure>\n<figcaption>Total over time</figcaption>\n");
    sc_output_format(output,
                     "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"the total "
                     "rises to %s %s\">\n",
                     WIDTH, HEIGHT, of->unit, sum);
    put_axes(&p);
    if (shows_budget(of))
        sc_output_format(output, "<path class=\"limit\" d=\"M%d %.1f H%d\"/>\n", LEFT,
                         y_of(&p, sc_number_view(of->budget)), RIGHT);
    put_steps(&p);
    if (of->bound.joint[0] != '\0' && strcmp(of->unit, "epsilon") == 0)
        sc_output_format(output,
                         "<circle class=\"joint\" cx=\"%d\" cy=\"%.1f\" r=\"6\"/>\n",
                         RIGHT, y_of(&p, sc_number_view(of->bound.joint)));
    put(output, "</svg>\n</figure>\n<ul class=\"key\"><li><i class=\"o\"></i>sum of ");
    put(output, of->unit);
    put(output, "</li>");
    if (shows_budget(of))
        put(output, "<li><i></i>dashed: the whole budget</li>");
    if (of->bound.joint[0] != '\0' && strcmp(of->unit, "epsilon") == 0)
        put(output, "<li><i style=\"background:var(--orange)\"></i>proven for all of "
                    "them together</li>");
    put(output, "</ul>\n");
}

/* Numbers and sentences. */

static void put_big(sc_output *output, const char *name, const char *number,
                    const char *words)
{
    put(output, "<div><span>");
    sc_markup_text(output, name);
    put(output, "</span><b>");
    sc_markup_text(output, number);
    put(output, "</b><small>");
    sc_markup_text(output, words);
    put(output, "</small></div>\n");
}

/* Is the guess told as "may be right more than 99.9 %"? */
static bool says_more(const sc_past_population *p)
{
    return strstr(p->bound.guess, "more than") != NULL;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void put_spent(sc_output *output, const sc_all_releases *all,
                      const sc_past_population *p)
{
    char sum[SC_JOINT_BYTES], left[SC_JOINT_BYTES * 3], day[SC_TIME_BYTES], text[512];
    sc_sum_format(p->end.amount, sum);
    sc_past_left_format(p, left);
    sc_day_format(all->until == 0 ? 0 : all->until - 1, day);
    snprintf(text, sizeof text, "%s of a %s of %.60s, by %" PRIu64 " charge%s%s%s%.120s",
             p->unit, p->is_share ? "share" : "budget", p->budget, p->end.charges,
             plural(p->end.charges), day[0] == '\0' ? "" : " up to ", day, left);
    put_big(output, "spent", sum, text);
    if (p->before.charges == 0)
        return;
    sc_sum_format(p->within.amount, sum);
    snprintf(text, sizeof text, "%s, by %" PRIu64 " charge%s; ", p->unit,
             p->within.charges, plural(p->within.charges));
    sc_sum_format(p->before.amount, left);
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "before it %s, by %" PRIu64 " charge%s", left, p->before.charges,
             plural(p->before.charges));
    put_big(output, "of it in this time", sum, text);
}

static void put_guess(sc_output *output, const sc_all_releases *all, size_t population)
{
    const sc_past_population *p = &all->populations[population];
    const char *percent = strpbrk(p->bound.guess, "0123456789");
    const bool is_above = says_more(p);
    char guessed[SC_GUESSED_BYTES], text[768], number[SC_JOINT_BYTES];
    sc_past_guessed_format(all, population, guessed);
    snprintf(text, sizeof text,
             "how often%s someone %s right who has all these answers%s, knows everyone "
             "else, and guesses %s; 50 %% is chance",
             is_above ? "" : ", at most,", is_above ? "may be" : "is",
             p->before.charges > 0 ? " and those before" : "", guessed);
    snprintf(number, sizeof number, "%s%.40s", is_above ? "> " : "",
             percent == NULL ? "\xe2\x80\x93" : percent);
    put_big(output, "best guess", number, text);
}

static void put_numbers(sc_output *output, const sc_all_releases *all, size_t population)
{
    const sc_past_population *p = &all->populations[population];
    char text[512];
    put(output, "<section class=\"big\" aria-label=\"cost\">\n");
    put_spent(output, all, p);
    if (p->bound.joint[0] != '\0') {
        snprintf(text, sizeof text,
                 "epsilon at delta %.60s, proven for all charges together by the "
                 "accountant %.40s",
                 p->bound.joint_delta, p->bound.accountant);
        put_big(output, "together", p->bound.joint, text);
    }
    put_guess(output, all, population);
    put(output, "</section>\n");
}

static void put_protected(sc_output *output, const sc_all_releases *all,
                          size_t population)
{
    const bool is_replace = all->populations[population].neighbours == SCRIM_REPLACE;
    const char *unit = sc_past_unit(all, population);
    char text[768];
    if (unit[0] == '\0')
        return;
    if (strcmp(unit, "row") == 0)
        snprintf(text, sizeof text,
                 "Protected: each row. Every answer would look almost the same %s. A "
                 "person with several rows is protected for each row, not for all of "
                 "them together.",
                 is_replace ? "with another row in its place" : "without it");
    else
        snprintf(text, sizeof text,
                 "Protected: each %s. Every answer would look almost the same %s.", unit,
                 is_replace ? "with other rows in place of its own" : "without its rows");
    put(output, "<p>");
    sc_markup_text(output, text);
    put(output, "</p>\n");
}

static void put_meaning(sc_output *output, const sc_all_releases *all, size_t population)
{
    const sc_past_population *p = &all->populations[population];
    char text[768];
    put_protected(output, all, population);
    if (p->fixed[0] != '\0') {
        snprintf(text, sizeof text,
                 "Had all questions been fixed in advance: %s. The numbers above also "
                 "hold where a question depended on earlier answers.",
                 p->fixed);
        put(output, "<p>");
        sc_markup_text(output, text);
        put(output, "</p>\n");
    }
}

/* Tables. */

/* "0.5" or "0.5, delta 1e-9", below the name of the unit. */
static void format_cost(const sc_past_release *one, char text[SC_AMOUNT_BYTES])
{
    char amount[SC_JOINT_BYTES], delta[SC_JOINT_BYTES];
    sc_sum_format(sc_number_view(one->amount), amount);
    sc_sum_format(sc_number_view(one->delta), delta);
    const bool has_delta = sc_number_view(one->delta) > 0;
    snprintf(text, SC_AMOUNT_BYTES, "%s%s%s", amount, has_delta ? ", delta " : "",
             has_delta ? delta : "");
}

/* "also shown to bob on 20 November 2026, to carol on 21 November 2026". */
static void put_shown(sc_output *output, const sc_all_releases *all,
                      const sc_past_release *one)
{
    const char *between = "<small>also shown to ";
    for (size_t i = 0; i < all->shown.count; i++) {
        const scrim_vault_shown *shown = &all->shown.items[i];
        char day[SC_TIME_BYTES];
        if (shown->release != one->id)
            continue;
        put(output, between);
        sc_markup_text(output, shown->analyst);
        sc_day_format(shown->time, day);
        sc_output_format(output, "%s%s", day[0] == '\0' ? "" : " on ", day);
        between = ", to ";
    }
    if (between[0] == ',')
        put(output, "</small>");
}

static void put_release(sc_output *output, const sc_all_releases *all,
                        const sc_past_release *one, bool names_dataset, bool names_unit)
{
    char number[32], day[SC_TIME_BYTES], amount[SC_AMOUNT_BYTES], total[SC_JOINT_BYTES];
    snprintf(number, sizeof number, "%" PRIu64, one->id);
    sc_day_format(one->time, day);
    format_cost(one, amount);
    sc_sum_format(one->total, total);
    put_cell(output, "<tr><td class=\"number\">", number);
    put_cell(output, "<td>", day);
    put_cell(output, "<td>", one->analyst);
    put(output, "<td><code>");
    sc_markup_text(output, one->question);
    put(output, "</code>");
    names_unit = names_unit && one->protects[0] != '\0';
    if (names_dataset || names_unit) {
        char text[SC_PROTECTS_BYTES + SCRIM_NAME_BYTES + 64];
        snprintf(text, sizeof text, "%s%s%s%s", names_dataset ? one->dataset : "",
                 names_dataset && names_unit ? "; " : "",
                 names_unit ? "protects each " : "", names_unit ? one->protects : "");
        put(output, "<small>");
        sc_markup_text(output, text);
        put(output, "</small>");
    }
    if (one->state != SCRIM_ENTRY_RELEASED)
        put(output, "<small>charged, without an answer</small>");
    put_shown(output, all, one);
    put(output, "</td>");
    put_cell(output, "<td class=\"number\">", amount);
    put_cell(output, "<td class=\"number\">", total);
    put(output, "</tr>\n");
}

static void put_table(sc_output *output, const sc_all_releases *all, size_t population)
{
    const bool names_unit = sc_past_unit(all, population)[0] == '\0';
    bool names_dataset = false;
    for (size_t i = 0; i < all->count; i++)
        names_dataset |=
            is_listed(all, i, population) &&
            strcmp(all->releases[i].dataset, all->populations[population].name) != 0;
    put(output,
        "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\" "
        "class=\"number\">No.</th><th scope=\"col\">day</th><th scope=\"col\">who "
        "asked</th><th scope=\"col\">question</th><th scope=\"col\" "
        "class=\"number\">");
    put(output, all->populations[population].unit);
    put(output, "</th><th scope=\"col\" class=\"number\">total</th></tr></thead>\n"
                "<tbody>\n");
    for (size_t i = 0; i < all->count; i++)
        if (is_listed(all, i, population))
            put_release(output, all, &all->releases[i], names_dataset, names_unit);
    put(output, "</tbody>\n</table></div>\n");
}

static void put_analyst(sc_output *output, const sc_past_analyst *one)
{
    char count[32], shown[32], sum[SC_JOINT_BYTES];
    const char *percent = strpbrk(one->bound.guess, "0123456789");
    snprintf(count, sizeof count, "%" PRIu64, one->asked.charges);
    snprintf(shown, sizeof shown, "%" PRIu64, one->shown.charges);
    sc_sum_format(one->all.amount, sum);
    put_cell(output, "<tr><td>", one->name);
    put_cell(output, "<td class=\"number\">", count);
    put_cell(output, "<td class=\"number\">", shown);
    put_cell(output, "<td class=\"number\">", sum);
    put(output, "<td class=\"number\">");
    put(output, strstr(one->bound.guess, "more than") == NULL ? "" : "&gt; ");
    sc_markup_text(output, percent == NULL ? "\xe2\x80\x93" : percent);
    put(output, "</td></tr>\n");
}

/* The ledger knows who asked, and of analysts with a share who read an answer again. */
static void put_analysts(sc_output *output, const sc_all_releases *all, size_t population)
{
    const sc_past_population *p = &all->populations[population];
    put(output, "<table>\n<caption>Who has which answers</caption>\n<thead><tr><th "
                "scope=\"col\">analyst</th><th scope=\"col\" "
                "class=\"number\">asked</th><th scope=\"col\" "
                "class=\"number\">shown</th><th scope=\"col\" class=\"number\">");
    put(output, p->unit);
    put(output, "</th><th scope=\"col\" class=\"number\">own best "
                "guess</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < all->analyst_count; i++)
        if (all->analysts[i].population == population)
            put_analyst(output, &all->analysts[i]);
    put(output, "</tbody>\n</table>\n<p><small>");
    put(output,
        p->has_shares
            ? "Shown: answers that were charged to somebody else, since the budget was "
              "declared. Reading again is recorded for analysts with a share of the "
              "budget, and for nobody else. "
            : "Nobody has a share of this budget, so the ledger does not record who "
              "reads an answer again. ");
    put(output, "The own best guess holds for an analyst who is told no other "
                "answers.</small></p>\n");
}

static void put_population(sc_output *output, const sc_all_releases *all, size_t index)
{
    put(output, "<h2>Budget ");
    sc_markup_text(output, all->populations[index].name);
    put(output, "</h2>\n");
    put_numbers(output, all, index);
    put_meaning(output, all, index);
    if (all->populations[index].within.charges == 0) {
        put(output, "<p>Nothing was charged to it in this time.</p>\n");
        return;
    }
    put_picture(output, all, index);
    put_analysts(output, all, index);
    put_table(output, all, index);
}

static void put_page(sc_output *output, const sc_all_releases *all)
{
    char time[128], period[256];
    sc_period_format(all, time, sizeof time);
    snprintf(period, sizeof period, "%s%s%.64s%s", time,
             all->analyst == NULL ? "" : " that ",
             all->analyst == NULL ? "" : all->analyst,
             all->analyst == NULL ? "" : " asked for or was shown");
    sc_page_open(
        output, &(sc_page_head){.kind = "Releases", .title = period, .more = more_style});
    put(output, "<header>\n<h1>Releases</h1>\n<p class=\"sub\">");
    sc_markup_text(output, period);
    put(output, "</p>\n</header>\n<hr class=\"rule\">\n");
    if (all->count == 0)
        put(output, "<p>Nothing was charged in this time.</p>\n");
    for (size_t i = 0; i < all->population_count; i++)
        put_population(output, all, i);
    put(output,
        "<h2>How to read this</h2>\n<ul>\n<li>Each release is protected by itself; the "
        "costs of all releases about the same data add up, from the first one on.</li>\n"
        "<li>Two units whose data depend on each other are protected together at twice "
        "the epsilon.</li>\n<li>The guarantee is against readers of the answers. It does "
        "not "
        "cover people who can read the source, the vault or the memory of the "
        "machine.</li>\n<li>Facts about the population that can be learned without any "
        "one of the units are not hidden.</li>\n</ul>\n<footer><p>The label of this page "
        "is in "
        "the file beside it, whose name ends in .label: it is signed by the vault. "
        "<code>scrim report verify FILE</code> checks every byte of the "
        "page.</p></footer>\n");
    sc_page_close(output);
}

/* A vault of an earlier version gets its key now, if this is its owner. */
static scrim_status find_key(scrim_vault *vault, bool *has_key, scrim_error *error)
{
    scrim_key key;
    const scrim_status status = scrim_vault_key(vault, &key, error);
    *has_key = status == SCRIM_OK;
    return status == SCRIM_E_POLICY ? SCRIM_OK : status;
}

scrim_status sc_all_page_write(scrim_vault *vault, const sc_all_releases *all,
                               const char *path, bool *is_signed, scrim_error *error)
{
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "the page");
    SC_TRY(find_key(vault, is_signed, error));
    const scrim_label_period period = {all->from, all->until, all->entries};
    sc_signed_file file = {.signing = {.vault = vault, .period = &period},
                           .option = "--html",
                           .path = path,
                           .format = SCRIM_FORMAT_TABLE};
    const scrim_status status = sc_signed_file_open(&file, output, error);
    if (status != SCRIM_OK)
        return status;
    put_page(output, all);
    return sc_signed_file_close(&file, SCRIM_OK, error);
}
