/* The page of `scrim report all --html FILE`. */
#include "cli/display/canvas.h"
#include "cli/display/notes.h"
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
#include <unistd.h>

/* The same style as a label's, with a wide table that is small in print. */
static const char more_style[] =
    "main{max-width:960px}\n"
    ".releases td code{display:block;min-width:13em}\n"
    "td.number,.releases td:nth-child(2){white-space:nowrap}svg{overflow:visible}\n"
    "h2:first-of-type{border-top:0;margin-top:0;padding-top:0}\n"
    ".big{grid-template-columns:repeat(auto-fit,minmax(11em,1fr))}\n"
    "svg .name.tick{text-anchor:end}\n"
    ".key .dashed{height:0;width:20px;border:0;border-top:2px dashed var(--soft);"
    "vertical-align:middle}\n"
    ".step{fill:none;stroke:var(--blue);stroke-width:2.5}\n"
    ".limit{fill:none;stroke:var(--soft);stroke-width:1.5;stroke-dasharray:6 4}\n"
    ".joint{fill:var(--orange)}\n"
    "@media (max-width:620px){svg{font-size:22px}td,th{font-size:.88rem}"
    ".big{grid-template-columns:1fr}"
    ".releases td,.releases th{border:0;white-space:normal;padding:2px 8px 2px 0}"
    ".releases tr{display:grid;grid-template-columns:2.2em 1fr auto 3.8em 3.2em;"
    "border-top:1px solid var(--thin);padding:4px 0}"
    ".releases tr>:nth-child(4){grid-area:2/2/3/6}.releases thead tr{border-top:0;"
    "border-bottom:2px solid var(--line)}}\n"
    "@media print{body{font-size:9.5pt;line-height:1.3}td,th{padding:1px 8px 1px 0}"
    "p{margin:.5em 0}h1{font-size:1.7rem}h2{margin:14px 0 6px;padding-top:6px}"
    ".big b{font-size:1.6rem}.rule{border-top-width:4px;margin:8px 0}"
    "svg{max-height:4.5cm}.releases td code{font-size:8pt;line-height:1.3}"
    "@page{margin:13mm}}\n";

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

/* Is the guess shown as "may be right more than 99.9 %"? */
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
    char sum[SC_JOINT_BYTES], left[SC_JOINT_BYTES * 3], day[SC_TIME_BYTES], text[512],
        budget[SC_JOINT_BYTES];
    sc_sum_format(p->end.amount, sum);
    sc_past_left_format(p, left);
    /* If the time is not over, the sum is that of today. */
    sc_day_format(all->until == 0 || all->until > all->written ? 0 : all->until - 1, day);
    snprintf(budget, sizeof budget, "%.6g", sc_number_view(p->budget));
    snprintf(text, sizeof text, "%s of %s of %.60s, by %" PRIu64 " charge%s%s%s%.120s",
             p->unit,
             p->is_share       ? "a share"
             : p->is_of_others ? "a budget, of which others spend,"
                               : "a budget",
             budget, p->end.charges, plural(p->end.charges),
             day[0] == '\0' ? "" : " up to ", day, left);
    put_big(output, "spent", sum, text);
    if (p->by_all[0] != '\0') {
        sc_sum_format(sc_number_view(p->by_all), sum);
        snprintf(text, sizeof text, "%s of the budget, by all who asked", p->unit);
        put_big(output, "spent by all", sum, text);
    }
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
                 "Protected: each row. Every answer by itself would look almost the same "
                 "%s. A "
                 "person with several rows is protected for each row, not for all of "
                 "them together.",
                 is_replace ? "with another row in its place" : "without it");
    else
        snprintf(
            text, sizeof text,
            "Protected: each %s. Every answer by itself would look almost the same %s.",
            unit,
            is_replace ? "with other rows in place of its own" : "without its rows");
    put(output, "<p>");
    sc_markup_text(output, text);
    put(output, "</p>\n");
}

/* A large total, by the best bound that is known. */
static void put_caution(sc_output *output, const sc_all_releases *all, size_t population)
{
    static const char person[] = "a person";
    const sc_past_population *p = &all->populations[population];
    const char *unit = sc_past_unit(all, population);
    char sum[SC_JOINT_BYTES], text[512];
    sc_sum_format(strcmp(p->unit, "epsilon") == 0 ? p->end.amount : 0, sum);
    const char *caution =
        sc_caution_epsilon(p->bound.joint[0] != '\0' ? p->bound.joint : sum);
    const char *at = caution == NULL ? NULL : strstr(caution, person);
    if (at == NULL)
        return;
    snprintf(text, sizeof text, "All releases together: %.*sone %s%s.",
             (int)(at - caution), caution, unit[0] == '\0' ? "unit" : unit,
             at + strlen(person));
    put(output, "<p class=\"caution\">");
    sc_markup_text(output, text);
    put(output, "</p>\n");
}

static void put_meaning(sc_output *output, const sc_all_releases *all, size_t population)
{
    const sc_past_population *p = &all->populations[population];
    char text[768];
    put_protected(output, all, population);
    put_caution(output, all, population);
    if (sc_past_sum_is_best(p))
        put(output, "<p>No smaller total than the sum can be proven for all charges "
                    "together.</p>\n");
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

/* "visits; release 2 of the series quarters; protects each row (replace)". */
static void put_subject(sc_output *output, const sc_past_release *one, bool names_dataset,
                        bool names_unit)
{
    const char *const parts[] = {names_dataset ? one->dataset : "", one->series_text,
                                 names_unit ? one->protects : ""};
    bool is_begun = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i][0] == '\0')
            continue;
        put(output, is_begun ? "; " : "<small>");
        put(output, parts[i] == one->protects ? "protects each " : "");
        sc_markup_text(output, parts[i]);
        is_begun = true;
    }
    if (is_begun)
        put(output, "</small>");
}

static void put_release(sc_output *output, const sc_all_releases *all,
                        const sc_past_release *one, bool names_dataset, bool names_unit)
{
    char number[32], day[SC_TIME_BYTES], amount[SC_AMOUNT_BYTES], total[SC_JOINT_BYTES];
    snprintf(number, sizeof number, "%" PRIu64, one->id);
    sc_day_format(sc_past_moment(one), day);
    format_cost(one, amount);
    sc_sum_format(one->total, total);
    put_cell(output, "<tr><td class=\"number\">", number);
    put_cell(output, "<td>", day);
    put_cell(output, "<td>", one->analyst);
    put(output, "<td><code>");
    sc_markup_text(output, one->question);
    put(output, "</code>");
    put_subject(output, one, names_dataset, names_unit);
    if (one->state != SCRIM_ENTRY_RELEASED)
        put(output, "<small>charged, without an answer</small>");
    if (one->is_typed)
        put(output, "<small>numbers that were typed in: who asked vouches that one unit "
                    "changes them by at most the sensitivity</small>");
    if (one->is_looked)
        put(output, "<small>the owner looked at the data to choose the bounds; epsilon "
                    "does not cover that</small>");
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
            sc_past_is_listed(all, i, population) &&
            strcmp(all->releases[i].dataset, all->populations[population].name) != 0;
    put(output,
        "<table class=\"releases\">\n<thead><tr><th scope=\"col\" "
        "class=\"number\">No.</th><th scope=\"col\">day</th><th scope=\"col\">who "
        "asked</th><th scope=\"col\">question</th><th scope=\"col\" "
        "class=\"number\">");
    put(output, all->populations[population].unit);
    put(output, "</th><th scope=\"col\" class=\"number\">total</th></tr></thead>\n"
                "<tbody>\n");
    for (size_t i = 0; i < all->count; i++)
        if (sc_past_is_listed(all, i, population))
            put_release(output, all, &all->releases[i], names_dataset, names_unit);
    put(output, "</tbody>\n</table>\n");
}

static void put_analyst(sc_output *output, const sc_past_analyst *one, bool has_shown)
{
    char count[32], shown[32], sum[SC_JOINT_BYTES];
    const char *percent = strpbrk(one->bound.guess, "0123456789");
    snprintf(count, sizeof count, "%" PRIu64, one->asked.charges);
    snprintf(shown, sizeof shown, "%" PRIu64, one->shown.charges);
    sc_sum_format(one->all.amount, sum);
    put_cell(output, "<tr><td>", one->name);
    put_cell(output, "<td class=\"number\">", count);
    if (has_shown)
        put_cell(output, "<td class=\"number\">", shown);
    put_cell(output, "<td class=\"number\">", sum);
    put(output, "<td class=\"number\">");
    put(output, strstr(one->bound.guess, "more than") == NULL ? "" : "&gt; ");
    sc_markup_text(output, percent == NULL ? "\xe2\x80\x93" : percent);
    put(output, "</td></tr>\n");
}

/* Says who asked. The ledger also knows who read an answer again, if that analyst has a share. */
static void put_analysts(sc_output *output, const sc_all_releases *all, size_t population)
{
    const sc_past_population *p = &all->populations[population];
    bool has_shown = p->has_shares;
    for (size_t i = 0; i < all->analyst_count; i++)
        has_shown |= all->analysts[i].population == population &&
                     all->analysts[i].shown.charges > 0;
    put(output,
        "<table>\n<caption>Who has which answers</caption>\n<thead><tr><th "
        "scope=\"col\">analyst</th><th scope=\"col\" class=\"number\">asked</th>");
    if (has_shown)
        put(output, "<th scope=\"col\" class=\"number\">shown</th>");
    put(output, "<th scope=\"col\" class=\"number\">");
    put(output, p->unit);
    put(output, "</th><th scope=\"col\" class=\"number\">own best "
                "guess</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < all->analyst_count; i++)
        if (all->analysts[i].population == population)
            put_analyst(output, &all->analysts[i], has_shown);
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
    sc_all_picture_write(output, all, index);
    put_analysts(output, all, index);
    put_table(output, all, index);
}

/* "written on 10 November 2026". */
static void put_head(sc_output *output, const sc_all_releases *all)
{
    char time[128], period[384], day[SC_TIME_BYTES], written[SC_WRITTEN_BYTES],
        back[SC_JOINT_BYTES * 3];
    sc_period_format(all, time, sizeof time);
    sc_day_format(all->written, day);
    sc_written_format(all, written);
    snprintf(period, sizeof period, "%s%s%.64s%s%s", time,
             all->analyst == NULL ? "" : " that ",
             all->analyst == NULL ? "" : all->analyst,
             all->analyst == NULL ? "" : " asked for or was shown", written);
    sc_page_open(
        output, &(sc_page_head){.kind = "Releases", .title = period, .more = more_style});
    put(output, "<header>\n<h1>Privacy report</h1>\n<p class=\"sub\">");
    sc_markup_text(output, period);
    sc_output_format(output, "<br>written on %s</p>\n</header>\n<hr class=\"rule\">\n",
                     day);
    sc_set_back_format(all, back);
    if (back[0] != '\0')
        sc_output_format(output, "<p class=\"caution\">Caution: %s.</p>\n", back);
}

static void put_fact(sc_output *output, const char *name, const char *text)
{
    sc_output_format(output, "<dt>%s</dt><dd>", name);
    put(output, "<code>");
    sc_markup_text(output, text);
    put(output, "</code></dd>\n");
}

/* The ledger as it was, and whose signature is beside the page. */
static void put_proof(sc_output *output, const sc_all_releases *all, bool is_signed,
                      bool is_beside)
{
    put(output, "<h2>Proof</h2>\n<dl>\n");
    sc_output_format(output,
                     "<dt>Ledger</dt><dd>%" PRIu64 " entries when this page was written; "
                     "the hash of the last one:<br><code>%s</code></dd>\n",
                     all->head.entries, all->head.hash);
    if (is_signed) {
        put_fact(output, "Signed with key", all->head.key);
        put(output, is_beside
                        ? "<dt>Signature</dt><dd>in the file beside this page whose "
                          "name ends in .label; keep both</dd>\n"
                        : "<dt>Signature</dt><dd>in this page, below</dd>\n");
        put(output,
            "<dt>To verify</dt><dd><code>scrim report verify FILE</code> checks every "
            "byte of this page, its sums against the ledger, and the signature. With "
            "<code>--key KEY</code> and without the vault it checks the bytes and the "
            "signature. It needs the file: a printed page cannot be verified</dd>\n");
    } else {
        put(output, "<dt>Signature</dt><dd>missing: the vault has no key yet; its owner "
                    "makes one with <code>scrim ledger key</code></dd>\n");
    }
    put(output, "</dl>\n");
}

/* All but its end, where the label is in the page. */
static void put_page(sc_output *output, const sc_all_releases *all, bool is_signed,
                     bool is_beside)
{
    char both[SC_IN_ALL_BYTES];
    put_head(output, all);
    if (all->count == 0)
        put(output, "<p>Nothing was charged in this time.</p>\n");
    for (size_t i = 0; i < all->population_count; i++)
        put_population(output, all, i);
    if (sc_past_in_all_format(all, both)) {
        put(output, "<p class=\"caution\">Together: ");
        sc_markup_text(output, both);
        put(output, ".</p>\n");
    }
    sc_all_changes_write(output, all);
    put(output,
        "<h2>How to read this</h2>\n<ul>\n<li>Each release is protected by itself; the "
        "costs of all releases about the same data add up, from the first one on.</li>\n"
        "<li>Two units whose data depend on each other are protected together at twice "
        "the epsilon.</li>\n<li>The guarantee is against readers of the answers. It does "
        "not cover people who can read the source, the vault or the memory of the "
        "machine.</li>\n<li>Facts about the population that can be learned without any "
        "one of the units are not hidden.</li>\n</ul>\n");
    put_proof(output, all, is_signed, is_beside);
    if (is_beside)
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
    put_page(output, all, *is_signed, true);
    return sc_signed_file_close(&file, SCRIM_OK, error);
}

scrim_status sc_all_page_show(scrim_vault *vault, const sc_all_releases *all,
                              scrim_error *error)
{
    SC_FREED sc_output *output = malloc(sizeof *output);
    SC_OWNED(scrim_label_free_at) scrim_label *label = NULL;
    bool is_signed = false;
    if (output == NULL)
        return sc_out_of_memory(error, "the page");
    SC_TRY(find_key(vault, &is_signed, error));
    const scrim_label_period period = {all->from, all->until, all->entries};
    SC_OWNED(sc_signing_clear) sc_signing signing = {.vault = vault, .period = &period};
    sc_output_init(output, STDOUT_FILENO);
    SC_TRY(sc_signing_begin(&signing, output, error));
    put_page(output, all, is_signed, false);
    SC_TRY(sc_signing_label(&signing, &label, error));
    sc_label_page_seal(output, label);
    return sc_output_finish(output, error);
}
