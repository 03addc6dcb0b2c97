/* scrim attack [KIND] */
#include "cli/display/listing.h"
#include "cli/mechanism/attack_writer.h"
#include "cli/mechanism/demo_data.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef SCRIM_TESTING
#include "random/bits_tape.h"
#endif

typedef struct attack_state {
    const lab_attack_kind *kind;
    lab_attack_options asked;
    lab_findings found;
    sc_format format;
    const char *svg; /* NULL: no file */
    bool plots;
    sc_terminal terminal;
    sc_progress progress;
    sc_output output;
    char file[PATH_MAX]; /* of public data */
} attack_state;

static scrim_status list_attacks(const sc_options *options, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "name"}, {.name = "summary"}, {.name = "source"}};
    const lab_attack_kind *kind;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    for (size_t i = 0; (kind = lab_attack_kind_at(i)) != NULL; i++)
        sc_listing_add(page, (const char *[]){kind->name, kind->summary, kind->source});
    return sc_page_write(page, error);
}

/* The public table that comes with the program, and no other file of its name, whoever has put this
 * program beside it: it may run with the rights of somebody else. */
#define ADULT_SHA256 "69219f0829c6c0afdbd49d8f17c0664bd5fca844b8a4ecd0e842c153eea1b6aa"

static const char *attack_name_at(size_t index)
{
    const lab_attack_kind *kind = lab_attack_kind_at(index);
    return kind == NULL ? NULL : kind->name;
}

static scrim_status find_attack(attack_state *state, const char *name, scrim_error *error)
{
    state->kind = lab_attack_kind_find(name);
    if (state->kind != NULL)
        return SCRIM_OK;
    const char *nearest = sc_nearest_name(name, attack_name_at);
    if (nearest != NULL)
        return sc_refuse(error, "unknown attack '%s'; did you mean '%s'?", name, nearest);
    return sc_refuse(error,
                     "unknown attack '%s'; use reconstruct, difference, average, "
                     "float, membership, audit, link, k-anonymity or swap. A dataset "
                     "cannot be attacked",
                     name);
}

static scrim_status find_table(attack_state *state, scrim_error *error)
{
    char program[PATH_MAX];
    if (!state->kind->needs_file || state->asked.file != NULL)
        return SCRIM_OK;
    const ssize_t bytes = readlink("/proc/self/exe", program, sizeof program - 1);
    if (bytes < 0)
        return sc_complaint_fill(error, SCRIM_E_INTERNAL, "cannot find this program");
    program[bytes] = '\0';
    state->asked.file = state->file;
    state->asked.digest = ADULT_SHA256;
    return sc_demo_data_find(program, "adult.csv", state->file, error);
}

/* A file of the caller, who says that it is public. */
static scrim_status take_public(attack_state *state, const sc_options *options,
                                scrim_error *error)
{
    if (options->word_count != 3)
        return sc_refuse(error, "--public needs one file, as in 'scrim attack link "
                                "table.csv --public'");
    if (!state->kind->needs_file && !state->kind->takes_file)
        return sc_refuse(error, "the attack '%s' makes its own people; leave '%s' out",
                         state->kind->name, options->words[2]);
    SC_TRY(sc_public_file_check(options, options->words[2], error));
    state->asked.file = options->words[2];
    state->asked.is_own = true;
    return SCRIM_OK;
}

static scrim_status read_request(attack_state *state, const sc_options *options,
                                 scrim_error *error)
{
    state->asked =
        (lab_attack_options){.progress = sc_progress_told,
                             .context = &state->progress,
                             .columns = options->value[SCRIM_OPTION_COLUMNS],
                             .sensitive = options->value[SCRIM_OPTION_SENSITIVE]};
    state->svg = options->value[SCRIM_OPTION_SVG];
    state->plots = sc_options_has(options, SCRIM_OPTION_PLOT);
    const bool is_public = sc_options_has(options, SCRIM_OPTION_PUBLIC);
    if (options->word_count > 2 && !is_public)
        return sc_complaint_fill(
            error, SCRIM_E_POLICY,
            "attacks run on simulated or public data, never on a dataset; leave '%s' "
            "out, or add --public if it is a file that everybody may see",
            options->words[2]);
    if (!is_public && (sc_options_has(options, SCRIM_OPTION_VAULT) ||
                       sc_options_has(options, SCRIM_OPTION_WAIT)))
        return sc_refuse(error, "attacks open no vault but with --public, to refuse its "
                                "datasets; leave --vault and --wait out");
    SC_TRY(find_attack(state, options->words[1], error));
    if (is_public)
        SC_TRY(take_public(state, options, error));
    SC_TRY(find_table(state, error));
    SC_TRY(sc_options_screen(options, &state->terminal, &state->format, error));
    if (state->svg != NULL)
        SC_TRY(sc_file_writer_check("--svg", state->svg, error));
    return SCRIM_OK;
}

static void draw_svg(const void *context, sc_output *output)
{
    const attack_state *state = context;
    sc_attack_chart_svg(output, state->kind, &state->found);
}

/* Charts stand in a table, else on standard error. */
static scrim_status write_charts(attack_state *state, scrim_error *error)
{
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&state->output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_attack_write_charts(&state->output, &state->found, &beside);
    return sc_output_finish(&state->output, error);
}

static scrim_status run_attack(attack_state *state, const sc_options *options,
                               scrim_error *error)
{
    sc_progress_start(&state->progress, 0, "%",
                      !sc_options_has(options, SCRIM_OPTION_QUIET));
    scrim_status status =
        lab_attack_run(state->kind, &state->asked, &state->found, error);
    sc_progress_end(&state->progress);
    if (status == SCRIM_OK && state->svg != NULL)
        status = sc_file_write("--svg", state->svg, draw_svg, state, error);
    if (status == SCRIM_OK && state->plots && state->format != SCRIM_FORMAT_TABLE)
        status = write_charts(state, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init_screen(&state->output, STDOUT_FILENO, state->format);
    const sc_attack_page page = {&state->output, state->format, &state->terminal,
                                 state->plots};
    status = sc_attack_write(&page, state->kind, &state->found, error);
    return status == SCRIM_OK ? sc_output_finish(&state->output, error) : status;
}

static scrim_status attack(const sc_options *options, scrim_error *error)
{
    if (options->word_count < 2)
        return list_attacks(options, error);
    attack_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_out_of_memory(error, "an attack");
    scrim_status status = read_request(state, options, error);
#ifdef SCRIM_TESTING /* the installed program draws from the operating system alone */
    uint64_t seed = 1;
    if (status == SCRIM_OK)
        status = sc_options_seed(options, &seed, error);
    if (status == SCRIM_OK)
        sc_entropy_seed(seed);
#endif
    if (status == SCRIM_OK)
        status = run_attack(state, options, error);
    lab_findings_clear(&state->found);
    free(state);
    return status;
}

const sc_verb sc_verb_attack = {
    .name = "attack",
    .synopsis = "[KIND [FILE --public]] [OPTION...]",
    .summary = "Attack published numbers of simulated people, and scrim's answers",
    .usage =
        "Runs an attack twice: on answers without privacy, and on scrim's releases. It\n"
        "shows what the attacker learns, at which cost, what stops it, and the paper.\n"
        "Without KIND it lists the attacks. The people are simulated, or come from the\n"
        "public Adult data that are installed with scrim. link, k-anonymity and\n"
        "reconstruct also take a public FILE of your own; a dataset is refused.\n"
        "\n"
        "  reconstruct  seven people from their published table; 1,000 bits from sums\n"
        "  difference   one person's bit from two counts\n"
        "  average      a count from many noisy answers to one question\n"
        "  float        a count from the low bits of floating-point noise\n"
        "  membership   who is in a group, from its published means\n"
        "  audit        bits from what a system refuses to answer\n"
        "  link         names of rows without names: Adult, and film ratings\n"
        "  k-anonymity  sensitive values from tables with k rows in each class\n"
        "  swap         bits from counts of people of whom some were swapped\n"
        "\n"
        "  --public     FILE is public: everybody may see all of it. A CSV file of rows\n"
        "               with a header; for reconstruct a published table, see\n"
        "               scrim-attack(1). A file that is a dataset of the vault, or has\n"
        "               the same bytes, is refused\n"
        "  --columns C  link, k-anonymity: what the attacker knows (default "
        "age,sex,race,\n"
        "               marital_status,education,native_country)\n"
        "  --sensitive C  what the attacker wants to know (default "
        "occupation)\n" SC_USAGE_VAULT
        "  --plot       draw the charts, in a table or on standard error\n"
        "  --svg FILE   write the charts to a file\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json       short for --format json\n"
        "  --quiet      show no progress on standard error\n"
#ifdef SCRIM_TESTING
        "  --seed N     the seed to draw from (default 1): NOT PRIVATE\n"
#endif
        "\n"
        "example: scrim attack reconstruct --format table --plot\n"
        "example: scrim attack link --columns age,sex,race --format table\n"
        "example: scrim attack k-anonymity t.csv --public --columns a,b --sensitive c\n",
    .kind = SC_COMMAND_LIST,
    .options = SC_OPTION_SET(SC_OPTIONS_VAULT, SCRIM_OPTION_PUBLIC, SCRIM_OPTION_COLUMNS,
                             SCRIM_OPTION_SENSITIVE, SCRIM_OPTION_PLOT, SCRIM_OPTION_SVG,
                             SCRIM_OPTION_SEED),
    .run = attack,
};
