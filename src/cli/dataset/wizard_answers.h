/* The answers of an owner who declares a dataset, and the order of the questions.
 *
 * A field is one thing that can be asked, described by a constant: its name, its words, when it
 * applies, which answers are valid. A slot holds the answers about one subject: the table, a column, or
 * a line of the policy for which there is no question. A step is one field of one slot. The policy is composed from
 * the answers, so that any of them can change at any time. */
#ifndef SC_CLI_WIZARD_ANSWERS_H
#define SC_CLI_WIZARD_ANSWERS_H

#include "cli/dataset/policy_draft.h"
#include "cli/terminal/interview.h"

/* In the order in which they are asked. */
typedef enum sc_ask {
    SC_ASK_NAME,
    SC_ASK_CSV,
    SC_ASK_SQLITE,
    SC_ASK_TABLE,
    SC_ASK_SEPARATOR,
    SC_ASK_SIZE, /* of a file that is too large for the default limit */
    SC_ASK_UNIT,
    SC_ASK_COLUMN, /* its name; asked only if the file's header is not known */
    SC_ASK_TYPE,
    SC_ASK_LOW,
    SC_ASK_HIGH,
    SC_ASK_STEP,
    SC_ASK_SECRET, /* an identifier, although it is a number? */
    SC_ASK_KEYS,
    SC_ASK_DECIMAL, /* how the file writes numbers, dates and what is missing */
    SC_ASK_DATES,
    SC_ASK_NULLS,
    SC_ASK_ZONE,
    SC_ASK_LOOK,       /* show the table of bounds? */
    SC_ASK_BY,         /* the GROUP BY of the table of bounds */
    SC_ASK_AT,         /* its epsilon */
    SC_ASK_ALL_ROWS,   /* total rows of a person in an answer */
    SC_ASK_ONE_ROW,    /* has each person one row anyway? */
    SC_ASK_MAX_GROUPS, /* groups, and rows in each: asked if no total of rows was given */
    SC_ASK_MAX_ROWS,
    SC_ASK_TOTAL,
    SC_ASK_POPULATION,
    SC_ASK_NEIGHBOURS,
    SC_ASK_EPSILON,
    SC_ASK_DELTA,
    SC_ASK_OTHER, /* a line of the policy for which there is no question */
    SC_ASK_COUNT
} sc_ask;

typedef enum sc_wizard_scope {
    SC_SCOPE_TABLE,
    SC_SCOPE_COLUMN,
    SC_SCOPE_OTHER
} sc_wizard_scope;

typedef struct sc_wizard_slot {
    sc_wizard_scope scope;
    char *name; /* of the column, or the key of another line; NULL: not known */
    char *text[SC_ASK_COUNT]; /* NULL: not answered; "": left out */
    /* A bit for each field. */
    uint32_t given; /* by an option or a file, so that it is not asked */
    uint32_t again; /* to be asked once more, although it has an answer */
} sc_wizard_slot;

typedef struct sc_wizard_step {
    size_t slot;
    sc_ask field;
} sc_wizard_step;

/* The functions of the vault that the wizard needs. */
typedef struct sc_wizard_host {
    /* Can a new dataset have that name? */
    scrim_status (*check_name)(void *context, const char *name, scrim_error *error);
    /* The budget of a population; its neighbours are SCRIM_NEIGHBOURS_UNSET if it has no budget
     * yet. */
    scrim_status (*find_budget)(void *context, const char *population,
                                scrim_budget *budget, scrim_error *error);
    /* A dataset of another population with the same file, or one of the same size; its name is ""
     * if no dataset has. */
    scrim_status (*find_twin)(void *context, const char *policy, const char *population,
                              scrim_dataset *out, bool *is_same_file, scrim_error *error);
    /* Adds the dataset; nothing was changed when that fails. */
    scrim_status (*add)(void *context, const char *name, sc_policy_draft *draft,
                        scrim_error *error);
    void *context;
} sc_wizard_host;

typedef struct sc_wizard_field sc_wizard_field;

typedef struct sc_wizard {
    const sc_wizard_host *host;
    const sc_wizard_field *fields; /* SC_ASK_COUNT of them */
    sc_wizard_slot *slots;         /* the first is the table's */
    size_t count, room;
    char *header;        /* names of the source's columns, one a line; NULL: not known */
    const char *seen;    /* separators that were seen in the header; NULL: a comma */
    scrim_budget budget; /* of the population, if there is one */
    uint32_t introduced; /* fields whose sentences were shown */
    const char *resumed; /* the path of the draft that is continued; NULL: no draft */
    sc_line_editor *editor; /* NULL: lines are read as they are */
    sc_wizard_step asked;   /* the question that is open, for completion */
    bool is_page;           /* the last page is open */
    bool is_repeated;       /* the same question, or the last page, follows at once */
    bool is_editing;        /* a line of the last page */
    bool is_table_shown;    /* the table of bounds for the present answers */
    bool has_looked;        /* some table of bounds was shown */
} sc_wizard;

struct sc_wizard_field {
    const char *name; /* the prompt; of a column, "name of COLUMN" */
    const char
        *line; /* the key of the policy line that it belongs to; NULL: it is in no line */
    sc_wizard_scope scope;
    bool is_optional;
    const char *ask;       /* shown before the first question of its kind */
    const char *help;      /* shown for "?" */
    const char *date_help; /* instead, for a date or a timestamp; NULL: the same help */
    const char *
        legal; /* "type ...", shown after an invalid answer; NULL: the library's message */
    const char
        *fallback; /* replaces an empty answer; NULL: an empty answer stays empty */
    bool (*applies)(const sc_wizard *wizard, const sc_wizard_slot *slot);
    /* Checks an answer, and may rewrite it in its normal form. */
    scrim_status (*check)(sc_wizard *wizard, sc_wizard_step step,
                          char text[SC_ANSWER_BYTES], scrim_error *error);
    /* Show something before each question, and after each valid answer; may be NULL. */
    scrim_status (*before)(sc_wizard *wizard, const sc_wizard_slot *slot,
                           scrim_error *error);
    void (*after)(const sc_wizard *wizard, const sc_wizard_slot *slot);
};

scrim_status sc_wizard_fail_memory(scrim_error *error);

/* Starts from the lines of a draft, which count as given. wizard is zeroed, except host and fields. */
SCRIM_MUST_USE scrim_status sc_wizard_init(sc_wizard *wizard, const char *name,
                                           const sc_policy_draft *given,
                                           scrim_error *error);
void sc_wizard_clear(sc_wizard *wizard);

/* Slots. */
SCRIM_MUST_USE scrim_status sc_wizard_add_slot(sc_wizard *wizard, sc_wizard_scope scope,
                                               const char *name, scrim_error *error);
void sc_wizard_drop_slot(sc_wizard *wizard, size_t slot);
/* The column of that name; NULL: unknown name. */
sc_wizard_slot *sc_wizard_column(const sc_wizard *wizard, const char *name);
/* Is there a line without a question, "key=value", whose value begins with `begin`? */
bool sc_wizard_has_other(const sc_wizard *wizard, const char *key, const char *begin);

/* The answer of the table's slot; "" where it was left out or not asked. */
const char *sc_wizard_text(const sc_wizard *wizard, sc_ask field);
const char *sc_slot_text(const sc_wizard_slot *slot, sc_ask field);
bool sc_slot_is_given(const sc_wizard_slot *slot, sc_ask field);
/* Answers a step; text NULL takes the answer back. */
SCRIM_MUST_USE scrim_status sc_wizard_answer(sc_wizard *wizard, sc_wizard_step step,
                                             const char *text, scrim_error *error);
/* Splits "int[0,120]" or "decimal[0,1]/0.1" into the answers type, smallest and largest value, step. *is_split is false, and
 * nothing changes, if it has another form. */
SCRIM_MUST_USE scrim_status sc_wizard_split_type(sc_wizard_slot *slot, const char *type,
                                                 bool *is_split, scrim_error *error);
/* Has the type a range? */
bool sc_type_has_range(const char *type);

/* Walk through the steps in order. False after the last one. */
bool sc_wizard_first(const sc_wizard *wizard, sc_wizard_step *step);
bool sc_wizard_following(const sc_wizard *wizard, sc_wizard_step *step);
/* The first step that is still to be asked; false: all are answered. */
bool sc_wizard_open_step(const sc_wizard *wizard, sc_wizard_step *step);
/* The step that was asked last before this one; NULL: the last of all. */
bool sc_wizard_asked_before(const sc_wizard *wizard, const sc_wizard_step *step,
                            sc_wizard_step *out);

/* Calls visit for each line of the policy that the answers make. A column whose range is incomplete makes no line. */
typedef scrim_status sc_wizard_visit(void *context, sc_wizard_step step, const char *key,
                                     const char *value, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_wizard_lines(const sc_wizard *wizard,
                                            sc_wizard_visit *visit, void *context,
                                            scrim_error *error);
/* Do the answers about this column suffice to declare it? */
bool sc_slot_is_declared(const sc_wizard_slot *slot);
SCRIM_MUST_USE scrim_status sc_wizard_compose(const sc_wizard *wizard,
                                              sc_policy_draft *draft, scrim_error *error);

#endif
