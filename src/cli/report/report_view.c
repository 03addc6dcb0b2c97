#include "cli/report/report_view.h"

#include <stdio.h>
#include <string.h>

#define KEY_BYTES 64

const char *sc_report_get(const scrim_label *label, const char *key)
{
    const char *value = scrim_label_get(label, key);
    return value == NULL ? "" : value;
}

static const char *find_item(const scrim_label *label, const char *list, size_t number,
                             const char *member)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "%s.%zu%s%s", list, number, member == NULL ? "" : ".",
             member == NULL ? "" : member);
    return scrim_label_get(label, key);
}

const char *sc_report_item(const scrim_label *label, const char *list, size_t number,
                           const char *member)
{
    const char *value = find_item(label, list, number, member);
    return value == NULL ? "" : value;
}

size_t sc_report_items(const scrim_label *label, const char *list, const char *member)
{
    size_t count = 0;
    while (find_item(label, list, count + 1, member) != NULL)
        count++;
    return count;
}

void sc_report_number(const char *text, char shown[SC_BOUND_BYTES])
{
    shown[0] = '\0';
    if (text[0] != '\0')
        sc_number_format_upper(text, shown);
}

void sc_report_cost(const scrim_label *label, const char *prefix,
                    char line[SC_REPORT_LINE_BYTES])
{
    static const char *const names[] = {"epsilon", "delta", "rho"};
    char key[KEY_BYTES], shown[SC_BOUND_BYTES];
    size_t used = 0;
    line[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(key, sizeof key, "%s%s", prefix, names[i]);
        sc_report_number(sc_report_get(label, key), shown);
        if (shown[0] != '\0')
            used += (size_t)snprintf(line + used, SC_REPORT_LINE_BYTES - used, "%s%s %s",
                                     used == 0 ? "" : ", ", names[i], shown);
    }
}

/* The sentence of each question, each once. */
static void put_kept(const scrim_label *label, char line[SC_REPORT_LINE_BYTES])
{
    char key[32];
    size_t used = 0;
    for (size_t i = 1; used < SC_REPORT_LINE_BYTES; i++) {
        snprintf(key, sizeof key, "kept.%zu", i);
        const char *kept = sc_report_get(label, key);
        if (kept[0] == '\0')
            return;
        if (strstr(line, kept) == NULL)
            used += (size_t)snprintf(line + used, SC_REPORT_LINE_BYTES - used, "%s%s",
                                     used == 0 ? "" : "; ", kept);
    }
}

void sc_report_bounds(const scrim_label *label, char line[SC_REPORT_LINE_BYTES])
{
    const char *groups = sc_report_get(label, "protection.max-groups");
    const char *rows = sc_report_get(label, "protection.max-rows");
    line[0] = '\0';
    put_kept(label, line);
    if (line[0] == '\0' && groups[0] != '\0')
        snprintf(
            line, SC_REPORT_LINE_BYTES,
            "at most %.24s group%s per %.256s and %.24s row%s per group; further rows "
            "are ignored",
            groups, strcmp(groups, "1") == 0 ? "" : "s",
            sc_report_get(label, "protection.unit"), rows,
            strcmp(rows, "1") == 0 ? "" : "s");
}

void sc_report_budget(const scrim_label *label, char line[SC_REPORT_LINE_BYTES])
{
    const char *charges = sc_report_get(label, "cost.charges");
    char spent[SC_BOUND_BYTES], budget[SC_BOUND_BYTES];
    char delta[SC_BOUND_BYTES], most[SC_BOUND_BYTES];
    sc_report_number(sc_report_get(label, "cost.spent"), spent);
    sc_report_number(sc_report_get(label, "cost.budget"), budget);
    sc_report_number(sc_report_get(label, "cost.spent-delta"), delta);
    sc_report_number(sc_report_get(label, "cost.budget-delta"), most);
    snprintf(line, SC_REPORT_LINE_BYTES,
             "%.24s %s of %s and delta %s of %s spent by %.24s charge%s to %.70s when "
             "this label was made",
             sc_report_get(label, "cost.account"), spent, budget, delta, most, charges,
             strcmp(charges, "1") == 0 ? "" : "s",
             sc_report_get(label, "release.population"));
}

void sc_report_noise(const scrim_label *label, size_t mechanism,
                     char line[SC_REPORT_LINE_BYTES])
{
    const char *deviation = sc_report_item(label, "mechanism", mechanism, "deviation");
    const char *draws = sc_report_item(label, "mechanism", mechanism, "draws");
    const char *half = sc_report_item(label, "mechanism", mechanism, "kept-half");
    const char *most = sc_report_item(label, "mechanism", mechanism, "kept-most");
    const char *others =
        sc_report_item(label, "mechanism", mechanism, "kept-half-others");
    const char *copies = sc_report_item(label, "mechanism", mechanism, "copies");
    size_t used = 0;
    line[0] = '\0';
    if (deviation[0] != '\0')
        used = (size_t)snprintf(line, SC_REPORT_LINE_BYTES,
                                "noise of standard deviation %.100s", deviation);
    if (deviation[0] != '\0' && draws[0] != '\0')
        used += (size_t)snprintf(line + used, SC_REPORT_LINE_BYTES - used,
                                 " in each draw; the total is a sum of %.24s", draws);
    if (half[0] != '\0')
        used = (size_t)snprintf(line, SC_REPORT_LINE_BYTES,
                                "a group of %.24s units is shown with a chance of 50 %%, "
                                "one of %.24s with 95 %%",
                                half, most);
    if (others[0] != '\0')
        used += (size_t)snprintf(line + used, SC_REPORT_LINE_BYTES - used,
                                 "; other mechanisms need for 50 %% at this cost: %.250s",
                                 others);
    if (strcmp(copies, "1") != 0)
        snprintf(line + used, SC_REPORT_LINE_BYTES - used,
                 "%scharged %.24s times: one %.256s can change %.24s of its draws",
                 used == 0 ? "" : "; ", copies, sc_report_get(label, "protection.unit"),
                 copies);
}

void sc_report_percent(const scrim_label *label, char text[SC_BOUND_BYTES])
{
    const double guess = sc_number_view(sc_report_get(label, "cost.guess"));
    if (guess < 1)
        snprintf(text, SC_BOUND_BYTES, "%.1f %%", 100 * guess);
    else
        snprintf(text, SC_BOUND_BYTES, "> 99.9 %%");
}
