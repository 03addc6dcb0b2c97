/* The wizard on a pseudo-terminal, as an owner sees it: it runs in a child whose terminal is the
 * other end. */
#include "check.h"
#include "cli/terminal/complaint.h"
#include "cli/verb/verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

typedef struct stage {
    char folder[64];
    char vault[96];
    char csv[96];
    int terminal; /* our end */
    pid_t owner;  /* the child */
    size_t seen;
    char shown[65536]; /* all that the owner was shown */
} stage;

static bool stage_begin(stage *s)
{
    memset(s, 0, sizeof *s);
    snprintf(s->folder, sizeof s->folder, "/tmp/scrim-wizard-XXXXXX");
    if (!CHECK(mkdtemp(s->folder) != NULL))
        return false;
    snprintf(s->vault, sizeof s->vault, "%s/vault", s->folder);
    snprintf(s->csv, sizeof s->csv, "%s/adult.csv", s->folder);
    FILE *file = fopen(s->csv, "w");
    if (file == NULL)
        return CHECK(file != NULL);
    fputs("person_id,age,sex,note\n1,30,Female,canary-4711\n2,41,Male,x\n", file);
    fclose(file);
    return CHECK_STATUS(scrim_vault_init(s->vault, NULL, NULL), SCRIM_OK);
}

static void stage_end(stage *s)
{
    char path[160];
    static const char *const names[] = {"vault", "adult.csv", "people.db"};
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", s->folder, names[i]);
        unlink(path);
    }
    CHECK(rmdir(s->folder) == 0); /* and nothing else lies there */
}

/* What the child is: the verb, on a terminal of its own. */
static _Noreturn void act(const stage *s, const char *name, const char *const *words)
{
    char *argv[32] = {NULL};
    int argc = 0;
    scrim_error error = {.status = SCRIM_OK};
    sc_options options;
    setenv("COLUMNS", "240", 1); /* no message is broken */
    if (chdir(s->folder) != 0)   /* where drafts are kept */
        _exit(98);
    argv[argc++] = strdup("scrim");
    argv[argc++] = strdup("dataset");
    argv[argc++] = strdup("add");
    if (name != NULL)
        argv[argc++] = strdup(name);
    argv[argc++] = strdup("--vault");
    argv[argc++] = strdup(s->vault);
    for (; words != NULL && *words != NULL && argc < 31; words++)
        argv[argc++] = strdup(*words);
    scrim_status status = sc_options_parse(argc, argv, &options, &error);
    if (status == SCRIM_OK)
        status = sc_verb_find("dataset")->run(&options, &error);
    if (status != SCRIM_OK)
        sc_complaint_print("dataset", &error, "");
    _exit((int)status / 10);
}

static void stage_start(stage *s, const char *name, const char *const *words)
{
    struct termios mode;
    s->seen = 0;
    s->shown[0] = '\0';
    s->terminal = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(s->terminal >= 0 && grantpt(s->terminal) == 0 && unlockpt(s->terminal) == 0);
    char *other = ptsname(s->terminal);
    REQUIRE(other != NULL);
    fflush(NULL);
    s->owner = fork();
    REQUIRE(s->owner >= 0);
    if (s->owner > 0)
        return;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < COUNT(numbers); i++)
        signal(numbers[i], SIG_DFL);
    setsid();
    const int end = open(other, O_RDWR); /* becomes the terminal of the session */
    if (end < 0 || tcgetattr(end, &mode) != 0)
        _exit(99);
    mode.c_lflag &= ~(tcflag_t)ECHO;
    mode.c_oflag &= ~(tcflag_t)ONLCR;
    tcsetattr(end, TCSANOW, &mode);
    for (int i = 0; i < 3; i++)
        dup2(end, i);
    close(s->terminal);
    act(s, name, words);
}

/* Reads until so many questions were asked, or the child is gone. */
static size_t wait_for(stage *s, size_t questions)
{
    size_t asked = 0;
    for (;;) {
        asked = 0;
        for (const char *at = s->shown; (at = strstr(at, "> ")) != NULL; at += 2)
            asked++;
        struct pollfd ready = {.fd = s->terminal, .events = POLLIN};
        if (asked >= questions || s->seen + 1 >= sizeof s->shown ||
            poll(&ready, 1, 20000) != 1)
            return asked;
        const ssize_t got =
            read(s->terminal, s->shown + s->seen, sizeof s->shown - 1 - s->seen);
        if (got <= 0)
            return asked; /* EIO: the other end is closed */
        s->seen += (size_t)got;
        s->shown[s->seen] = '\0';
    }
}

static void answer(stage *s, const char *text)
{
    CHECK(write(s->terminal, text, strlen(text)) == (ssize_t)strlen(text));
}

/* How the child ended; all it said is read first. */
static int stage_finish(stage *s)
{
    int end = -1;
    (void)wait_for(s, SIZE_MAX);
    close(s->terminal);
    CHECK(waitpid(s->owner, &end, 0) == s->owner);
    return end;
}

static void check_shown(const stage *s, const char *words)
{
    if (strstr(s->shown, words) == NULL)
        CHECK_FAIL("'%s' was not shown, but:\n%s", words, s->shown);
}

/* The entries of the vault. */
static uint64_t entries_of(const stage *s)
{
    scrim_vault_state state = {.entries = 0};
    CHECK_STATUS(scrim_vault_check(s->vault, NULL, &state, NULL), SCRIM_OK);
    return state.entries;
}

static void check_policy(const stage *s, const char *name, const char *want)
{
    scrim_vault *vault = NULL;
    char *policy = NULL;
    REQUIRE_OK(scrim_vault_open(s->vault, NULL, &vault, NULL));
    if (CHECK_STATUS(scrim_vault_policy(vault, name, &policy, NULL), SCRIM_OK)) {
        char *contents = strstr(policy, "contents=");
        if (contents != NULL)
            *contents = '\0';
        CHECK_STR(policy, want);
    }
    scrim_vault_text_free(policy);
    scrim_vault_close(vault);
}

/* The answers of an owner who knows what they want; the number of questions is theirs. */
static size_t all_answers(const stage *s, char answers[20][128])
{
    static const char *const rest[] = {
        "person_id", "int",        "0",   "120",  "text", "Female,Male",
        "",          "",                  /* no note; no table of bounds */
        "1",         "2",          "900", /* groups, rows, total of age */
        "",          "add-remove", "3",   "1e-6", "yes"};
    snprintf(answers[0], 128, "%s\n", s->csv);
    for (size_t i = 0; i < COUNT(rest); i++)
        snprintf(answers[i + 1], 128, "%s\n", rest[i]);
    return COUNT(rest) + 1;
}

TEST(wizard_asks_for_a_policy)
{
    stage s;
    char answers[20][128], want[512];
    if (!stage_begin(&s))
        return;
    const size_t count = all_answers(&s, answers);
    stage_start(&s, "adult", NULL);
    for (size_t i = 0; i < count; i++) {
        CHECK_INT(wait_for(&s, i + 1), i + 1);
        answer(&s, answers[i]);
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    check_shown(&s, "added dataset adult (version 1), budget \"adult\"");
    check_shown(&s, "  column=age=int[0,120]\n");
    check_shown(&s, "press Enter to leave this column out.\n");
    check_shown(&s, "Give the range a value may have by definition");
    check_shown(&s,
                "  sex: public keys (2 listed); all groups are shown, even if empty\n");
    check_shown(&s, "note: ignored; questions cannot use it\n");
    check_shown(&s, "max-total of age>");
    CHECK(strstr(s.shown, "SENSITIVE") == NULL);
    CHECK(strstr(s.shown, "canary") == NULL && strstr(s.shown, "Female,4") == NULL);
    snprintf(want, sizeof want,
             "csv=%s\nunit=person_id\ncolumn=age=int[0,120]\ncolumn=sex=text\n"
             "keys=sex=Female,Male\nmax-groups=1\nmax-rows=2\nmax-total=age=900\n"
             "neighbours=add-remove\n"
             "budget=epsilon=3,delta=1e-6\n",
             s.csv);
    check_policy(&s, "adult", want);
    stage_end(&s);
}

/* A timestamp needs a zone, which is asked for once; a name is copied with its changes of offset. */
TEST(wizard_asks_for_the_zone_of_timestamps)
{
    stage s;
    char want[512];
    static const char *const answers[] = {
        "timestamp\n",    "2024-01-01\n",    "2024-07-01\n", "timestamp\n",
        "2024-01-01\n",   "2024-02-01\n",    "\n",           "\n",
        "Nowhere/City\n", "Europe/Berlin\n", "1\n",          "\n",
        "yes\n"};
    if (!stage_begin(&s))
        return;
    FILE *file = fopen(s.csv, "w");
    REQUIRE(file != NULL);
    fputs("id,seen,paid\n1,2024-03-04 05:06:07,2024-01-02 03:04:05\n", file);
    fclose(file);
    const char *const words[] = {
        "--csv",      s.csv, "--unit",       "id", "--population", "p",
        "--max-rows", "1",   "--max-groups", "1",  "--neighbours", "add-remove",
        NULL};
    stage_start(&s, "a", words);
    for (size_t i = 0; i < COUNT(answers); i++) {
        CHECK_INT(wait_for(&s, i + 1), i + 1);
        answer(&s, answers[i]);
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    const char *const asked = strstr(s.shown, "Time zone of times without an offset");
    CHECK(asked != NULL && strstr(asked + 1, "Time zone of times") == NULL);
    snprintf(
        want, sizeof want,
        "csv=%s\ndate-format=YYYY-MM-DD\nzone=Europe/Berlin 2023-12-30/2024-07-03 +01:00 "
        "2024-03-31T01:00:00Z+02:00\nunit=id\n"
        "column=seen=timestamp[2024-01-01,2024-07-01]\n"
        "column=paid=timestamp[2024-01-01,2024-02-01]\nmax-groups=1\nmax-rows=1\n"
        "neighbours=add-remove\npopulation=p\nbudget=epsilon=1\n",
        s.csv);
    check_policy(&s, "a", want);
    stage_end(&s);
}

/* A file with decimal commas and other dates is declared so; each mistake is told when it is typed. */
TEST(wizard_asks_how_the_file_writes_values)
{
    static const char *const answers[] = {
        "",     ";",          "row",        "?",          "date",    "31.01.2025",
        "?",    "2025-01-31", "31.12.2025", "2025-12-31", "decimal", "",
        "0",    "100",        "?",          "comma",      ",",       "?",
        "DDMM", "?",          "DD.MM.YYYY", "?",          "NA,NA",   "NA,-",
        "",     "",           "1",          "",           "8",       "none",
        "yes"};
    stage s;
    char want[512];
    if (!stage_begin(&s))
        return;
    FILE *file = fopen(s.csv, "w");
    REQUIRE(file != NULL);
    fputs("day;paid\n31.01.2025;1,5\n", file);
    fclose(file);
    const char *const words[] = {"--csv", s.csv, NULL};
    stage_start(&s, "a", words);
    for (size_t i = 1; i < COUNT(answers); i++) {
        CHECK_INT(wait_for(&s, i), i);
        answer(&s, answers[i]);
        answer(&s, "\n");
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    static const char *const shown[] = {
        "date is a day, timestamp a day with a time",
        "\"31.01.2025\" is not valid here; type a date that exists; write it as "
        "2025-01-31, whatever the file uses",
        "Example: 2020-01-01",
        "\"31.12.2025\" is not valid here; type a date after the smallest value, "
        "2025-01-31; write it as 2025-01-31, whatever the file uses",
        "with another decimal mark and treats it as missing",
        "\"comma\" is not valid here; type . or ,",
        "Example: DD.MM.YYYY",
        "\"DDMM\" is not valid here; type YYYY, MM or M, and DD or D",
        "Example: NA,NULL",
        "the text 'NA' is given twice",
        "null=NA,-\n",
        "texts that mean missing: none\n"};
    for (size_t i = 0; i < COUNT(shown); i++)
        if (strstr(s.shown, shown[i]) == NULL)
            CHECK_FAIL("not shown: %s\n%s", shown[i], s.shown);
    snprintf(want, sizeof want,
             "csv=%s\nseparator=;\ndecimal=,\ndate-format=DD.MM.YYYY\nunit=row\n"
             "column=day=date[2025-01-31,2025-12-31]\ncolumn=paid=decimal[0,100]\n"
             "neighbours=add-remove\nbudget=epsilon=1\n",
             s.csv);
    check_policy(&s, "a", want);
    stage_end(&s);
}

/* What the header looks like is offered, and taken only when the owner says so. */
TEST(wizard_offers_the_separator_of_the_header)
{
    static const struct {
        const char *header, *answer, *line; /* line: what is kept */
        size_t columns;
    } cases[] = {
        {"id;age;note", "", "separator=;\n", 2},
        {"id;age;note", ";", "separator=;\n", 2},
        {"\"id\";\"age\"", "", "separator=;\n", 1},
        {"id\tage", "", "separator=tab\n", 1},
        {"id|a;b", "|", "separator=|\n", 1},
        {"id|a|b", "", "separator=|\n", 2},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        stage s;
        char want[256];
        size_t asked = 0;
        if (!stage_begin(&s))
            return;
        FILE *file = fopen(s.csv, "w");
        REQUIRE(file != NULL);
        fprintf(file, "%s\n1;2,3\n", cases[c].header);
        fclose(file);
        const char *const words[] = {
            "--csv",      s.csv, "--unit",       "id", "--population", "p",
            "--max-rows", "1",   "--max-groups", "1",  "--neighbours", "add-remove",
            NULL};
        stage_start(&s, "a", words);
        asked++;
        CHECK_INT(wait_for(&s, asked), asked);
        check_shown(&s, "The header is one column that contains ");
        answer(&s, cases[c].answer);
        answer(&s, "\n");
        for (size_t i = 0; i < cases[c].columns; i++) {
            asked++;
            CHECK_INT(wait_for(&s, asked), asked);
            answer(&s, "\n");
        }
        static const char *const rest[] = {"1\n", "\n", "yes\n"};
        for (size_t i = 0; i < COUNT(rest); i++) {
            asked++;
            CHECK_INT(wait_for(&s, asked), asked);
            answer(&s, rest[i]);
        }
        const int end = stage_finish(&s);
        CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
        snprintf(want, sizeof want,
                 "csv=%s\n%sunit=id\nmax-groups=1\nmax-rows=1\nneighbours=add-remove\n"
                 "population=p\nbudget=epsilon=1\n",
                 s.csv, cases[c].line);
        check_policy(&s, "a", want);
        stage_end(&s);
    }
}

/* Answers that are not right are asked for again, with the reason. */
TEST(wizard_asks_again)
{
    static const struct {
        const char *answer, *reason;
    } turns[] = {
        {"/nonexistent.csv", "No such file"},
        {"", ""},
        {"", "unit has no default; type the name of a column, or row\n"},
        {"row", ""},
        {"a b", "\"a b\" is not valid here; type a name of letters"},
        {"", ""},
        {"near", "\"near\" is not valid here; type add-remove or replace\n"},
        {"", ""}, /* add-remove */
        {"", "epsilon has no default; type a number above 0"},
        {"three", "\"three\" is not valid here; type a number above 0"},
        {"-1", "\"-1\" is not valid here"},
        {"0", "\"0\" is not valid here"},
        {"1,delta=1", "\"1,delta=1\" is not valid here"},
        {"1/3", ""},
        {"x", "\"x\" is not valid here; type a number of at least 0 and less than 1"},
        {"1", "\"1\" is not valid here"},
        {"3/2", "\"3/2\" is not valid here"},
        {"", ""},
        {"maybe", "\"maybe\" is not valid here; type yes, no or the number of a line\n"},
        {"9", "\"9\" is not valid here"},
        {"yes", ""},
    };
    stage s;
    if (!stage_begin(&s))
        return;
    stage_start(&s, "a", NULL);
    for (size_t i = 0; i < COUNT(turns); i++) {
        CHECK_INT(wait_for(&s, i + 1), i + 1);
        if (i > 0)
            check_shown(&s, turns[i - 1].reason);
        answer(&s, turns[i].answer);
        answer(&s, "\n");
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    check_policy(&s, "a", "unit=row\nneighbours=add-remove\nbudget=epsilon=1/3\n");
    stage_end(&s);
}

/* Under replace each column has a default; what options say is not asked. */
TEST(wizard_asks_only_for_what_is_missing)
{
    static const char *const turns[] = {
        "day",     "", /* no type, so asked again; then left out */
        "decimal", "0.001", "0", "1", "bool", "", "", "replace", "1", "0", "yes"};
    stage s;
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv",
                                 s.csv,
                                 "--unit",
                                 "row",
                                 "--max-groups",
                                 "3",
                                 "--population",
                                 "town",
                                 "--column",
                                 "sex=text",
                                 "--keys",
                                 "sex=F",
                                 "--max-rows",
                                 "1",
                                 "--missing",
                                 "sex=F",
                                 NULL};
    stage_start(&s, "b", words);
    for (size_t i = 0; i < COUNT(turns); i++) {
        CHECK_INT(wait_for(&s, i + 1), i + 1);
        answer(&s, turns[i]);
        answer(&s, "\n");
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    CHECK(strstr(s.shown, "max-groups>") == NULL && strstr(s.shown, "unit>") == NULL);
    CHECK(strstr(s.shown, "missing age>") == NULL); /* it may be NULL */
    char want[512];
    snprintf(
        want, sizeof want,
        "csv=%s\ndecimal=.\nunit=row\ncolumn=sex=text\ncolumn=age=decimal[0,1]/0.001\n"
        "column=note=bool\nkeys=sex=F\nmissing=sex=F\nmax-groups=3\nmax-rows="
        "1\nneighbours=replace\n"
        "population=town\nbudget=epsilon=1,delta=0\n",
        s.csv);
    check_policy(&s, "b", want);
    stage_end(&s);
}

/* Answers one after the other, each with what is shown before the next question. */
typedef struct turn {
    const char *answer, *reason;
} turn;

static void take_turns(stage *s, const turn *turns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CHECK_INT(wait_for(s, i + 1), i + 1);
        if (i > 0)
            check_shown(s, turns[i - 1].reason);
        answer(s, turns[i].answer);
        answer(s, "\n");
    }
    const int end = stage_finish(s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
}

/* Neighbours that were said with an option, and those of a population that is there. */
TEST(wizard_takes_neighbours_that_are_there)
{
    static const turn first[] = {
        {"persn_id", "no column 'persn_id' in the source; did you mean 'person_id'?\n"},
        {"telephone", "no column 'telephone' in the source\n"},
        {"person_id", ""},
        {"", "sex: private keys; only groups that pass partition selection"},
        {"int", ""},
        {"9", ""},
        {"0", "\"0\" is not valid here; type a whole number above the smallest value, 9"},
        {"<", "now 9; press Enter to keep it\n"},
        {"0", ""},
        {"120", ""},
        {"", ""}, /* no note */
        {"perhaps", "\"perhaps\" is not valid here; type y or n\n"},
        {"y", ""},
        {"sx", "'sx' is not a column that questions may use"},
        {" sex , age", ""},
        {"none", "\"none\" is not valid here; type a number above 0"},
        {"1", "SENSITIVE: raw data, for the owner only"},
        {"", "max-groups has no default; type a whole number"},
        {"0", "\"0\" is not valid here; type a whole number from 1"},
        {"1", "at epsilon 1, grouped by sex,age"},
        {"3", ""}, /* groups, rows */
        {"some", "\"some\" is not valid here; type a multiple of the column's step"},
        {"", ""}, /* no total */
        {"1", ""},
        {"", "not a key; the budget has delta 0"},
        {"yes", ""}};
    static const turn second[] = {{"person_id", ""}, {"", ""},  {"", ""},  {"bool", ""},
                                  {"", ""},          {"1", ""}, {"2", ""}, {"yes", ""}};
    char want[512];
    stage s;
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv",        s.csv,          "--column",
                                 "sex=text",     "--population", "town",
                                 "--neighbours", "replace",      NULL};
    stage_start(&s, "c", words);
    take_turns(&s, first, COUNT(first));
    snprintf(want, sizeof want,
             "csv=%s\nunit=person_id\ncolumn=sex=text\ncolumn=age=int[0,120]\n"
             "max-groups=1\nmax-rows=3\nbounds-from=check\nneighbours=replace\n"
             "population=town\n"
             "budget=epsilon=1\n",
             s.csv);
    check_policy(&s, "c", want);
    const char *const others[] = {"--csv", s.csv, "--population", "town", NULL};
    stage_start(&s, "d", others);
    take_turns(&s, second, COUNT(second));
    snprintf(want, sizeof want,
             "csv=%s\nunit=person_id\ncolumn=note=bool\nmax-groups=1\nmax-rows="
             "2\npopulation=town\n"
             "neighbours=replace\n",
             s.csv);
    /* person_id is a column like the others there. */
    check_policy(&s, "d", want);
    stage_end(&s);
}

/* THREATS A68: whoever leaves, by whatever door and at whatever question, leaves the vault as it was;
 * a signal leaves no draft either. */
static void leave(stage *s, size_t questions, const char *door, int number)
{
    char answers[20][128];
    (void)all_answers(s, answers);
    stage_start(s, "adult", NULL);
    for (size_t i = 0; i < questions; i++) {
        CHECK_INT(wait_for(s, i + 1), i + 1);
        if (i + 1 < questions)
            answer(s, answers[i]);
    }
    if (door != NULL)
        answer(s, door);
    else
        CHECK(kill(s->owner, number) == 0);
    const int end = stage_finish(s);
    if (number == 0)
        CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 2);
    else
        CHECK(WIFSIGNALED(end) && WTERMSIG(end) == number);
}

static int unlink_draft(const stage *s)
{
    char path[160];
    snprintf(path, sizeof path, "%s/adult.policy", s->folder);
    return unlink(path);
}

SLOW_TEST(A68_wizard_leaves_nothing)
{
    stage s;
    char answers[20][128];
    if (!stage_begin(&s))
        return;
    const size_t count = all_answers(&s, answers);
    const uint64_t then = entries_of(&s);
    for (size_t i = 1; i <= count; i++) {
        leave(&s, i, i % 2 == 0 ? "q\n" : "\004", 0);
        check_shown(&s, i == 1 ? "cancelled; nothing was written"
                               : "your answers are in 'adult.policy'");
        CHECK((unlink_draft(&s) == 0) == (i > 1));
        leave(&s, i, "\003", SIGINT);
        leave(&s, i, NULL, i % 2 == 0 ? SIGTERM : SIGHUP);
        CHECK(unlink_draft(&s) != 0);
    }
    leave(&s, count, "no\n", 0);
    check_shown(&s, "not added; nothing was written");
    CHECK_INT(entries_of(&s), then);
    stage_end(&s);
}

/* Somebody who hangs up is a signal as well. */
TEST(A68_wizard_loses_its_terminal)
{
    stage s;
    if (!stage_begin(&s))
        return;
    const uint64_t then = entries_of(&s);
    stage_start(&s, "adult", NULL);
    CHECK_INT(wait_for(&s, 1), 1);
    close(s.terminal);
    int end = -1;
    CHECK(waitpid(s.owner, &end, 0) == s.owner);
    CHECK(WIFSIGNALED(end) && WTERMSIG(end) == SIGHUP);
    CHECK_INT(entries_of(&s), then);
    stage_end(&s);
}

TEST(wizard_asks_for_the_name)
{
    static const char *const words[] = {"--unit", "row", NULL};
    static const char *const turns[] = {"a b", "town", "", "", "", "2", "", "y"};
    stage s;
    if (!stage_begin(&s))
        return;
    stage_start(&s, NULL, words);
    for (size_t i = 0; i < COUNT(turns); i++) {
        CHECK_INT(wait_for(&s, i + 1), i + 1);
        answer(&s, turns[i]);
        answer(&s, "\n");
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    check_policy(&s, "town", "unit=row\nneighbours=add-remove\nbudget=epsilon=2\n");
    stage_end(&s);
}

TEST(wizard_does_not_begin_with_a_name_that_cannot_be)
{
    stage s;
    if (!stage_begin(&s))
        return;
    stage_start(&s, "a b", NULL);
    int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 2);
    check_shown(&s, "invalid name 'a b'");
    CHECK(strstr(s.shown, "> ") == NULL);
    stage_end(&s);
}

/* No answer could mend it, so that nothing is asked. */
TEST(wizard_does_not_begin_with_a_mistake)
{
    stage s;
    if (!stage_begin(&s))
        return;
    const struct {
        const char *words[7], *reason;
        int end;
    } cases[] = {
        {{"--csv", s.csv, "--unit", "persn_id"}, "did you mean 'person_id'?", 6},
        {{"--csv", s.csv, "--column", "agee=int[0,9]"}, "no column 'agee'", 6},
        {{"--csv", s.csv, "--column", "age=itn[0,9]"}, "--column age=itn[0,9]", 2},
        {{"--column", "age=itn[0,9]"}, "--column age=itn[0,9]", 2},
        {{"--sqlite", s.csv, "--column", "age=itn[0,9]"}, "--column age=itn[0,9]", 2},
        {{"--cap", "1"}, "cap", 2},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        stage_start(&s, "new", cases[i].words);
        const int end = stage_finish(&s);
        CHECK(WIFEXITED(end) && WEXITSTATUS(end) == cases[i].end);
        check_shown(&s, cases[i].reason);
        CHECK(strstr(s.shown, "> ") == NULL);
    }
    stage_end(&s);
}

static void make_database(const char *path)
{
    sqlite3 *database = NULL;
    REQUIRE(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK_INT(sqlite3_exec(database, "CREATE TABLE people (id, age)", NULL, NULL, NULL),
              SQLITE_OK);
    sqlite3_close(database);
}

TEST(wizard_asks_for_the_table_of_a_database)
{
    static const struct {
        const char *answer, *reason;
    } turns[] = {{"", "table has no default"},
                 {"persons", "the source has no table 'persons'"},
                 {"people", ""},
                 {"agee", "agee"}, /* no such column */
                 {"id", "column 'id' is declared already"},
                 {"age", ""},
                 {"int", ""},
                 {"0", ""},
                 {"120", ""},
                 {"age", "column 'age' is declared already"},
                 {"", ""}, /* no more columns */
                 {"", ""}, /* no table of bounds */
                 {"1", ""},
                 {"1", ""},
                 {"", ""},
                 {"", ""},
                 {"1", ""},
                 {"", ""},
                 {"yes", ""}};
    stage s;
    char path[96], want[256];
    if (!stage_begin(&s))
        return;
    snprintf(path, sizeof path, "%s/people.db", s.folder);
    make_database(path);
    const char *const words[] = {"--sqlite", path, "--unit", "id", NULL};
    stage_start(&s, "people", words);
    for (size_t i = 0; i < COUNT(turns); i++) {
        CHECK_INT(wait_for(&s, i + 1), i + 1);
        if (i > 0)
            check_shown(&s, turns[i - 1].reason);
        answer(&s, turns[i].answer);
        answer(&s, "\n");
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    snprintf(want, sizeof want,
             "sqlite=%s\ntable=people\nunit=id\ncolumn=age=int[0,120]\nmax-groups=1\nmax-"
             "rows=1\n"
             "neighbours=add-remove\nbudget=epsilon=1\n",
             path);
    check_policy(&s, "people", want);
    stage_end(&s);
}

/* Back over sections, with what was said before; a line of the last page by its number. */
TEST(wizard_goes_back_and_edits)
{
    static const turn turns[] = {
        {"<", "this is the first question\n"},
        {"person_id", ""},
        {"?", "int is a whole number"},
        {"int[0,99]", ""},
        {"text", ""},
        {"", ""},
        {"bool", ""},
        {"n", ""},
        {"<", "now n; press Enter to keep it\n"},
        {"<", "now bool; press Enter to keep it, or type none to leave it out\n"},
        {"<", ""}, /* the keys of sex, which were left out */
        {"<", "now text; press Enter to keep it"},
        {"none", "sex: ignored; questions cannot use it\n"},
        {"", ""}, /* and forwards again */
        {"", ""},
        {"1", ""},
        {"1", ""}, /* groups, rows */
        {"", ""},
        {"", ""},
        {"1", ""},
        {"", "   8  budget=epsilon=1\n   9  population: adult\n"
             "  10  sex: ignored; questions cannot use it\n"},
        {"2", "now person_id; press Enter to keep it\n"}, /* unit */
        {"row", "type of person_id>"},                    /* a column like others now */
        {"", "   9  sex: ignored; questions cannot use it\n"},
        {"3", "now int; press Enter to keep it"}, /* column=age */
        {"", "now 0; press Enter to keep it"},
        {"", "now 99; press Enter to keep it"},
        {"120", "   3  column=age=int[0,120]\n"},
        {"?", "scrim adds the dataset with exactly these lines"},
        {"<", ""}, /* delta, which was left out */
        {"1e-6", "budget=epsilon=1,delta=1e-6\n"},
        {"y", ""}};
    stage s;
    char want[512];
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv", s.csv, NULL};
    stage_start(&s, "adult", words);
    take_turns(&s, turns, COUNT(turns));
    snprintf(want, sizeof want,
             "csv=%s\nunit=row\ncolumn=age=int[0,120]\ncolumn=note=bool\n"
             "neighbours=add-remove\nbudget=epsilon=1,delta=1e-6\n",
             s.csv);
    check_policy(&s, "adult", want);
    stage_end(&s);
}

/* Lines that were given are on the last page as well, those without a question too. */
TEST(wizard_edits_what_was_given)
{
    static const turn turns[] = {{"2", ""},
                                 {"", "  11  cap=epsilon=1\n"},
                                 {"11", "now epsilon=1; press Enter to keep it\n"},
                                 {"much", "much"},
                                 {"epsilon=1/2", "  11  cap=epsilon=1/2\n"},
                                 {"2", "now age; press Enter to keep it\n"},
                                 {"row", "type of age>"},
                                 {"", "  12  age: ignored"},
                                 {"yes", ""}};
    stage s;
    char want[512];
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv",
                                 s.csv,
                                 "--unit",
                                 "age",
                                 "--cap",
                                 "epsilon=1",
                                 "--rows-per-unit",
                                 "1",
                                 "--column",
                                 "sex=bool",
                                 "--population",
                                 "p",
                                 "--column",
                                 "note=bool",
                                 "--neighbours",
                                 "replace",
                                 "--column",
                                 "person_id=int[0,9]",
                                 NULL};
    stage_start(&s, "given", words);
    take_turns(&s, turns, COUNT(turns));
    snprintf(want, sizeof want,
             "csv=%s\nunit=row\ncolumn=sex=bool\ncolumn=note=bool\n"
             "column=person_id=int[0,9]\nmax-groups=1\nmax-rows=1\n"
             "neighbours=replace\npopulation=p\nbudget=epsilon=2\ncap=epsilon=1/2\n",
             s.csv);
    check_policy(&s, "given", want);
    stage_end(&s);
}

/* A draft names what is missing, and is taken where it was left. */
TEST(wizard_goes_on_with_a_draft)
{
    static const char *const first[] = {"person_id\n", "int\n", "0\n", "q\n"};
    static const turn rest[] = {{"int[0,120]", ""}, {"text", ""}, {"Female,Male", ""},
                                {"", ""},           {"", ""},     {"1", ""},
                                {"1", ""},          {"", ""},     {"", ""},
                                {"1", ""},          {"", ""},     {"yes", ""}};
    static const char *const policy[] = {"--policy", "adult.policy", NULL};
    stage s;
    char path[160], text[2048] = "", want[512];
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv", s.csv, NULL};
    stage_start(&s, "adult", words);
    for (size_t i = 0; i < COUNT(first); i++) {
        CHECK_INT(wait_for(&s, i + 1), i + 1);
        answer(&s, first[i]);
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 2);
    check_shown(&s, "go on with 'scrim dataset add adult --policy adult.policy'");
    snprintf(path, sizeof path, "%s/adult.policy", s.folder);
    FILE *file = fopen(path, "r");
    REQUIRE(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK(strstr(text, "# missing: column=age=int[0,LARGEST]\n") != NULL);
    CHECK(strstr(text, "# missing: column=note=TYPE") != NULL);
    CHECK(strstr(text, "# missing: max-groups=N\n") != NULL);
    CHECK(strstr(text, "# missing: budget=epsilon=R,delta=R\n") != NULL);
    CHECK(strstr(text, "\nunit=person_id\n") != NULL);
    stage_start(&s, "adult", policy);
    take_turns(&s, rest, COUNT(rest));
    snprintf(want, sizeof want,
             "csv=%s\nunit=person_id\ncolumn=age=int[0,120]\ncolumn=sex=text\n"
             "keys=sex=Female,Male\nmax-groups=1\nmax-rows=1\nneighbours=add-remove\n"
             "budget=epsilon=1\n",
             s.csv);
    check_policy(&s, "adult", want);
    CHECK(unlink(path) == 0);
    stage_end(&s);
}

/* A policy that the vault refuses can be mended: here people whose unit is another column. */
TEST(wizard_says_why_it_cannot_add)
{
    static const turn turns[] = {
        {"age", ""}, {"", ""},
        {"", ""},    {"", ""},
        {"", ""},    {"1", ""},
        {"1", ""},   {"yes", "the population 'town' protects each"},
        {"2", ""},   {"person_id", ""},
        {"", ""},    {"yes", ""}};
    stage s;
    char text[512];
    scrim_vault *vault = NULL;
    if (!stage_begin(&s))
        return;
    snprintf(text, sizeof text,
             "csv=%s\nunit=person_id\nmax-groups=1\nmax-rows=1\npopulation=town\n"
             "neighbours=add-remove\nbudget=epsilon=1\n",
             s.csv);
    REQUIRE_OK(scrim_vault_open(s.vault, NULL, &vault, NULL));
    CHECK_STATUS(scrim_vault_add_dataset(vault, "first", text, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    const char *const words[] = {"--csv", s.csv, "--population", "town", NULL};
    stage_start(&s, "second", words);
    take_turns(&s, turns, COUNT(turns));
    snprintf(text, sizeof text,
             "csv=%s\nunit=person_id\nmax-groups=1\nmax-rows=1\npopulation=town\n"
             "neighbours=add-remove\n",
             s.csv);
    check_policy(&s, "second", text);
    stage_end(&s);
}

/* A number that identifies somebody is taken only when the owner says so. */
TEST(wizard_asks_whether_a_secret_number_is_meant)
{
    static const turn turns[] = {{"int[0,9]", "person_id looks like an identifier"},
                                 {"well", "\"well\" is not valid here; type y or n\n"},
                                 {"yes", ""},
                                 {"int[0,9]", ""}, /* an age is none */
                                 {"", ""},
                                 {"", ""},
                                 {"", ""},
                                 {"", ""},
                                 {"1", ""},
                                 {"", ""},
                                 {"3", "now int"},
                                 {"", ""},
                                 {"", ""},
                                 {"", ""},
                                 {"n", "person_id: ignored"},
                                 {"yes", ""}};
    stage s;
    char want[512];
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv", s.csv, "--unit", "row", NULL};
    stage_start(&s, "a", words);
    take_turns(&s, turns, COUNT(turns));
    snprintf(want, sizeof want,
             "csv=%s\nunit=row\ncolumn=age=int[0,9]\nneighbours=add-remove\n"
             "budget=epsilon=1\n",
             s.csv);
    check_policy(&s, "a", want);
    stage_end(&s);
}
