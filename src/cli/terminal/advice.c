#include "cli/terminal/advice.h"

#include <string.h>

typedef struct advice {
    const char *verbs;     /* the commands it is for, "query explain"; NULL: all */
    unsigned reasons;      /* a bit for each reason it is for */
    const char *parameter; /* NULL: any */
    const char *text;
    sc_option_set given; /* only with one of these; NULL: always */
} advice;

#ifdef SCRIM_TESTING
#define OTHER_BUILD "; use the program that is installed"
#else
#define OTHER_BUILD "; create another with scrim init"
#endif

#define ON(reason) (1U << SCRIM_REASON_##reason)
#define LACKING (ON(BUDGET) | ON(SHARE))
/* Owners read this too, if the share of "*" limits them. */
#define ASK_SHARE                                                                        \
    "or ask the vault's owner, who sets shares with 'scrim dataset set NAME --share "    \
    "USER=...'"
#define QUESTIONS "query explain"
#define WITH_POPULATION ": --population NAME"
#define LESS_DELTA                                                                       \
    "; use a smaller delta or a mechanism without delta, or ask the vault's owner"
#define LESS_ERROR_OR "; use a smaller epsilon (larger error), ask for fewer values, "
#define LESS_QUERY_DELTA                                                                 \
    "; use a smaller --delta, ask for columns that need none, or ask the vault's owner"
#define LESS_TARGET                                                                      \
    "; ask for fewer columns or groups, accept a larger --target-error, or ask the "     \
    "vault's owner"
#define LESS_QUERY                                                                       \
    "; accept a larger error (a smaller --epsilon), or ask the vault's owner"
#define LESS_RHO                                                                         \
    "; use a smaller epsilon or rho (larger error), ask for fewer values, or ask the "   \
    "vault's owner"
#define TARGET SC_OPTION_SET(SCRIM_OPTION_TARGET_ERROR)

/* The first row that fits is taken. */
static const advice rows[] = {
    /* The cost of a question. */
    {QUESTIONS, ON(MISSING), "epsilon", "; add --epsilon E, or --target-error X", NULL},
    {"series synth body microdata", ON(MISSING), "epsilon", "; add --epsilon E", NULL},
    {QUESTIONS " series", ON(MISSING), "delta", "; add --delta D", NULL},
    {QUESTIONS " series", ON(UNSUPPORTED), "mechanism", ", or --mechanism laplace", NULL},
    {QUESTIONS, ON(MISSING), "bounds", "; add --bounds auto", NULL},
    {QUESTIONS, ON(UNSUPPORTED), "bounds",
     "; give --max-total-rows N, which 'scrim suggest' proposes", NULL},
    {QUESTIONS, ON(MISSING), "expect",
     "; add --expect with your guess, or use --target-error without %", NULL},
    {QUESTIONS, ON(MISSING), "deviation",
     "; add --expect with your guess, or use --epsilon instead", NULL},
    {QUESTIONS, ON(UNSUPPORTED), "target-error", "; give --epsilon instead", NULL},
    {"query", ON(SHARE), "delta",
     "; use a smaller --delta, ask for columns that need none, " ASK_SHARE, NULL},
    {"query", ON(SHARE), NULL,
     "; ask for fewer columns or groups, accept a larger --target-error, " ASK_SHARE,
     TARGET},
    {"query", ON(SHARE), NULL,
     "; accept a larger error (a smaller --epsilon), " ASK_SHARE, 0},
    {"query", ON(BUDGET), "delta", LESS_QUERY_DELTA, NULL},
    {"query", ON(BUDGET), NULL, LESS_TARGET, TARGET},
    {"query", ON(BUDGET), NULL, LESS_QUERY, NULL},
    {"run", LACKING, "delta", LESS_DELTA, NULL},
    {"run", ON(BUDGET), "epsilon", LESS_ERROR_OR "or ask the vault's owner", NULL},
    {"run", ON(SHARE), "epsilon", LESS_ERROR_OR ASK_SHARE, NULL},
    {"run", LACKING, NULL, LESS_RHO, NULL},
    {"synth body microdata", LACKING, "delta",
     "; use a smaller --delta, or ask the vault's owner", NULL},
    {"synth body microdata", LACKING, NULL,
     "; use a smaller --epsilon (larger error), or ask the vault's owner", NULL},
    {"synth", ON(MISSING), "private-keys", ": --private-keys COLUMN", NULL},
    {"series", ON(BUDGET), "releases",
     "; plan fewer, spend less on each, or add --beyond-budget", NULL},
    {"series", ON(MISSING), "running", ": --window COLUMN", NULL},
    {"dataset", ON(UNKNOWN), "column", "",
     NULL}, /* of a header: there may be no dataset yet */
    /* The text of a question. */
    {NULL, ON(UNKNOWN), "column", ", and scrim dataset show lists the columns", NULL},
    {NULL, ON(UNKNOWN), "columns", "; 'scrim dataset show' lists the columns", NULL},
    {"body", ON(UNKNOWN), "objective", "; 'scrim body show FILE' shows its columns",
     NULL},
    {"body", ON(MISSING), "expected-units", "; add --expected-units N", NULL},
    {"attack", ON(MISSING), "columns", ": --columns COLUMN,COLUMN --sensitive COLUMN",
     NULL},
    {"body", ON(MISSING), "columns", ": --columns COLUMN,COLUMN", NULL},
    {NULL, ON(UNSUPPORTED), "EXPLAIN",
     "; write scrim explain NAME \"SELECT ...\" instead", NULL},
    {NULL, ON(UNSUPPORTED), "UNION", ": query --file FILE", NULL},
    {NULL, ON(UNSUPPORTED), "EXCEPT", ": query --file FILE", NULL},
    {NULL, ON(UNSUPPORTED), "INTERSECT", ": query --file FILE", NULL},
    {NULL, ON(MISSING), "releases", ": --count N", NULL},
    {NULL, ON(MISSING), "window",
     ": --count N, or where each starts: --window COLUMN=START,START,...", NULL},
    /* Unknown names. */
    {NULL, ON(UNKNOWN), "mechanism", "; 'scrim list mechanisms' lists them all", NULL},
    {NULL, ON(UNKNOWN), "part",
     "; 'scrim list mechanisms' lists them all, continuous-gaussian and "
     "continuous-laplace are there to compare with, and a guarantee is stated as "
     "\"epsilon=1 delta=1e-6\", \"rho=0.5\", \"renyi order=2 epsilon=1\" or \"gdp mu=1\"",
     0},
    {NULL, ON(UNKNOWN), "distribution", "; 'scrim list distributions' lists them all",
     NULL},
    {NULL, ON(UNKNOWN), "dataset", "; 'scrim dataset list' lists them", NULL},
    {NULL, ON(UNKNOWN), "series", "; 'scrim series show' lists them", NULL},
    {"dataset", ON(UNKNOWN), "analyst", "; create the user, or use '*' for everybody",
     NULL},
    {NULL, ON(UNKNOWN), "entry", "; 'scrim ledger' lists them", NULL},
    {NULL, ON(UNKNOWN), "release", "; 'scrim ledger' lists them", NULL},
    {"calibrate", ON(UNSUPPORTED), "mechanism",
     "; 'scrim compose' computes the cost of given ones", NULL},
    {"calibrate", ON(UNSUPPORTED), NULL,
     "; 'scrim compose' computes the cost of a given one", NULL},
    /* The policy. */
    {NULL, ON(UNKNOWN), "policy", "; its lines are the options of scrim dataset add",
     NULL},
    {NULL, ON(UNKNOWN), "keys", "; declare it with --column NAME=TYPE", NULL},
    {NULL, ON(UNKNOWN), "max-total", "; declare it with --column NAME=TYPE", NULL},
    {NULL, ON(UNKNOWN), "missing", "; declare it with --column NAME=TYPE", NULL},
    {NULL, ON(MISSING), "unit", "; add --unit COLUMN or --unit row", NULL},
    {"dataset", ON(MISSING), "column", "; add --zone ZONE", NULL}, /* of a timestamp */
    {NULL, ON(MISSING), "max-total-rows",
     ": --max-total-rows N, or --max-groups N --max-rows N, or --rows-per-unit 1", 0},
    {NULL, ON(MISSING), "max-groups", ": --max-groups N", NULL},
    {NULL, ON(MISSING), "max-groups,delta", ": --max-groups N --delta D", NULL},
    {NULL, ON(CONFLICT), "fixed-bounds",
     "; leave --max-groups, --max-rows, "
     "--max-total-rows, --max-total and --bounds out",
     NULL},
    {NULL, ON(MISSING), "source", ": add --csv FILE or --sqlite FILE", NULL},
    {"synth body dataset microdata", ON(UNSUPPORTED), "live",
     ", and only queries, series and suggestions take such rows", NULL},
    {"synth body dataset microdata", ON(UNSUPPORTED), "parquet",
     ", and only queries, series and suggestions take such rows", NULL},
    {"synth body dataset microdata", ON(UNSUPPORTED), "duckdb",
     ", and only queries, series and suggestions take such rows", NULL},
    {NULL, ON(UNSUPPORTED), "live",
     ": in Python vault.query(NAME, \"SELECT ...\", data=FRAME), in C scrim/feed.h",
     NULL},
    {NULL, ON(UNSUPPORTED), "parquet",
     ": the Python package scrim does, by vault.query(NAME, \"SELECT ...\")", NULL},
    {NULL, ON(UNSUPPORTED), "duckdb",
     ": the Python package scrim does, by vault.query(NAME, \"SELECT ...\")", NULL},
    {"dataset", ON(MISSING) | ON(RANGE), "max-size", ": --max-size SIZE, such as 1GiB",
     NULL},
    {NULL, ON(MISSING), "records", ", --records lf or --records crlf", NULL},
    {NULL, ON(MISSING), "separator=,", "; if that separates columns, add --separator ,",
     0},
    {NULL, ON(MISSING), "separator=;", "; if that separates columns, add --separator ';'",
     0},
    {NULL, ON(MISSING), "separator=|", "; if that separates columns, add --separator '|'",
     0},
    {NULL, ON(MISSING), "separator=tab",
     "; if that separates columns, add --separator tab", NULL},
    {NULL, ON(MISSING), "budget", ": --budget epsilon=R[,delta=R]", NULL},
    {"dataset microdata", ON(MISSING), "neighbours",
     ": --neighbours add-remove or --neighbours replace", 0},
    {NULL, ON(MISSING), "population", WITH_POPULATION, NULL},
    {NULL, ON(CONFLICT), "population", WITH_POPULATION, NULL},
    {NULL, ON(CONFLICT), "same-unit", ": --same-unit COLUMN or --population NAME", NULL},
    {NULL, ON(CONFLICT), "kind=sqlite", "; use --sqlite FILE --table NAME", NULL},
    {NULL, ON(CONFLICT), "kind=parquet",
     "; use --parquet FILE, and the Python package reads it", NULL},
    {NULL, ON(CONFLICT), "kind=arrow", "; the Python package reads it, with live=True",
     NULL},
    {NULL, ON(CONFLICT), "kind=workbook", "; save it there as CSV UTF-8", NULL},
    {NULL, ON(CONFLICT), "kind=archive", "; unpack it, or pack the CSV file with gzip",
     NULL},
    /* The vault and its labels. */
    {NULL, ON(TAKEN), "vault", "; name another file with --vault FILE", NULL},
    {NULL, ON(TAKEN), "witness", "; name another file with --witness FILE", NULL},
    {NULL, ON(MISSING), "vault", "; 'scrim init' creates one", NULL},
    {NULL, ON(MISSING), "key", "; its owner creates one with 'scrim ledger key'", NULL},
    {NULL, ON(MISSING), "label",
     "; put FILE.label beside it, or write a label with 'scrim report RELEASE'", NULL},
    {NULL, ON(SYNTAX), "key", "; 'scrim ledger key' prints it", NULL},
    {NULL, ON(CHANGED), NULL,
     "; its owner can declare the new contents with 'scrim dataset update'; earlier "
     "questions are then charged again",
     0},
    {NULL, ON(MOVED), "witness",
     ", or, if it is lost, let the vault's owner accept the vault without it: scrim init "
     "--restored",
     NULL},
    {NULL, ON(MOVED), "restored",
     ", or, if that is lost, let the vault's owner accept this one: scrim init "
     "--restored",
     NULL},
    {NULL, ON(MISSING), "witness",
     "; name a file with --witness FILE, or use --no-witness", NULL},
    {NULL, ON(MOVED), NULL, "; its owner can accept it with scrim init --moved", NULL},
    {NULL, ON(BUILD), NULL, OTHER_BUILD, NULL},
    {NULL, ON(DAMAGED), NULL, "; run scrim ledger verify", NULL},
};

static bool has_word(const char *words, const char *word)
{
    const size_t bytes = strlen(word);
    while (strncmp(words, word, bytes) != 0 ||
           (words[bytes] != ' ' && words[bytes] != '\0')) {
        words = strchr(words, ' ');
        if (words++ == NULL)
            return false;
    }
    return true;
}

static bool has_any(const sc_options *options, sc_option_set set)
{
    for (; set != NULL && *set != SCRIM_OPTION_KINDS; set++)
        if (sc_options_has(options, *set))
            return true;
    return false;
}

const char *sc_advice(const char *verb, const sc_options *options,
                      const scrim_error *error)
{
    const unsigned on = error->reason < 32 ? 1U << error->reason : 0;
    for (const advice *row = rows; row < rows + sizeof rows / sizeof *rows; row++)
        if ((row->reasons & on) != 0 &&
            (row->parameter == NULL || strcmp(row->parameter, error->parameter) == 0) &&
            (row->verbs == NULL || (verb != NULL && has_word(row->verbs, verb))) &&
            (row->given == NULL || has_any(options, row->given)))
            return row->text;
    return "";
}

static bool is_line(const char *name, sc_option_set lines)
{
    for (; *lines != SCRIM_OPTION_KINDS; lines++)
        if (strcmp(sc_option_name(*lines) + 2, name) == 0)
            return true;
    return false;
}

void sc_advice_name_option(const sc_options *options, sc_option_set lines,
                           scrim_error *error)
{
    char *message = error->message;
    if (sc_options_has(options, SCRIM_OPTION_POLICY) ||
        !is_line(error->parameter, lines) ||
        strncmp(message, error->parameter, strlen(error->parameter)) != 0)
        return;
    memmove(message + 2, message, sizeof error->message - 2);
    memcpy(message, "--", 2);
    message[sizeof error->message - 1] = '\0';
}
