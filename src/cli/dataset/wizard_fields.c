#include "cli/dataset/wizard_fields.h"

#include "cli/dataset/wizard_check.h"
#include "cli/dataset/wizard_when.h"
#include "cli/dataset/wizard_words.h"

#define NUMBER_HELP "Numbers are exact: 3, 0.5, 1/3, 1e-6."

const sc_wizard_field sc_wizard_fields[SC_ASK_COUNT] = {
    [SC_ASK_NAME] =
        {.name = "name",
         .ask = "Name of the dataset?",
         .help = "The name stands in every command about the dataset. It has letters, "
                 "digits, '_', '.' and '-'. Example: adult",
         .legal = "a name, such as adult",
         .applies = sc_when_always,
         .check = sc_check_name},
    [SC_ASK_CSV] =
        {.name = "csv",
         .line = "csv",
         .is_optional = true,
         .ask = "Source: a CSV file with a header. Press Enter for none.",
         .help = "The path of the file that has the rows. scrim reads its header now and "
                 "its rows when a question is asked. Example: adult.csv",
         .applies = sc_when_csv,
         .check = sc_check_file,
         .after = sc_say_no_source},
    [SC_ASK_SQLITE] =
        {.name = "sqlite",
         .line = "sqlite",
         .help = "The path of an SQLite database that has the rows in one of its tables. "
                 "Example: people.db",
         .legal = "the path of a database",
         .applies = sc_when_database,
         .check = sc_check_file},
    [SC_ASK_TABLE] =
        {.name = "table",
         .line = "table",
         .ask = "Source: which table of the database?",
         .help = "The name of the table that has the rows. scrim reads neither views nor "
                 "virtual tables. Example: people",
         .legal = "the name of a table",
         .applies = sc_when_database,
         .check = sc_check_file,
         .before = sc_show_tables},
    [SC_ASK_SEPARATOR] =
        {.name = "separator",
         .line = "separator",
         .help = "The character between the fields of a row. It is a comma, a semicolon, "
                 "a vertical bar or a tab. Example: ;",
         .legal = ", ; | or tab",
         .applies = sc_when_cut,
         .check = sc_check_file,
         .before = sc_show_separator},
    [SC_ASK_SIZE] =
        {.name = "max-size",
         .line = "max-size",
         .help = "Everybody may know this number. Queries take memory for a file of this "
                 "size, so that the memory does not show how many rows there are. scrim "
                 "refuses a file that is larger. Example: 1GiB",
         .legal = "a size from 64KiB to 16TiB, such as 256MiB or 2GiB",
         .applies = sc_when_large,
         .check = sc_check_line,
         .before = sc_show_size},
    [SC_ASK_UNIT] =
        {.name = "unit",
         .line = "unit",
         .ask = "Which column identifies the person? Type row if every row is a "
                "different person.",
         .help = "scrim protects all rows of one person together, so it must know which "
                 "rows these are. The column is the privacy unit; questions can only "
                 "count it. Example: person_id",
         .legal = "the name of a column, or row",
         .applies = sc_when_always,
         .check = sc_check_unit,
         .before = sc_show_columns},
    [SC_ASK_COLUMN] =
        {.name = "column",
         .scope = SC_SCOPE_COLUMN,
         .is_optional = true,
         .ask = "Names of the columns that may be queried; an empty line ends the list.",
         .help = "A column that you name can be used in questions, others cannot. Type "
                 "one name, then its type is asked. Example: age",
         .applies = sc_when_unnamed,
         .check = sc_check_column},
    [SC_ASK_TYPE] =
        {.name = "type",
         .line = "column",
         .scope = SC_SCOPE_COLUMN,
         .is_optional = true,
         .ask = "Which columns may be queried? Type int, decimal, date, timestamp, bool "
                "or text; press Enter to leave this column out.",
         .help = "int is a whole number, decimal a number with a fraction, date is a "
                 "day, timestamp a day with a time, bool is true or false, text is "
                 "anything else. The form of dates in the file is asked for later. "
                 "Questions cannot use a column that "
                 "you leave out. Example: int, or with its range int[0,120]",
         .legal = "int, decimal, date, timestamp, bool or text",
         .applies = sc_when_column,
         .check = sc_check_type,
         .after = sc_say_ignored},
    [SC_ASK_LOW] =
        {.name = "smallest value",
         .line = "column",
         .scope = SC_SCOPE_COLUMN,
         .ask = "Give the range a value may have by definition, not the minimum and "
                "maximum in your file. Values outside are clamped to it.",
         .help = "A smaller value in the file is clamped to this one. Do not take it "
                 "from the data, which it would reveal. A wide range needs more noise. "
                 "Example: 0 for an age",
         .date_help =
             "An earlier date in the file is clamped to this one. Do not take it "
             "from the data, which it would reveal. Write 2025-01-31 or 31.01.2025; a "
             "timestamp may have a time, as in 2025-01-31 12:00. "
             "Example: 2020-01-01",
         .applies = sc_when_ranged,
         .check = sc_check_low},
    [SC_ASK_HIGH] =
        {.name = "largest value",
         .line = "column",
         .scope = SC_SCOPE_COLUMN,
         .help = "A larger value in the file is clamped to this one. Do not take it "
                 "from the data, which it would reveal. A wide range needs more noise. "
                 "Example: 120 for an age",
         .date_help =
             "A later date in the file is clamped to this one. Do not take it "
             "from the data, which it would reveal. Write 2025-01-31 or 31.01.2025; a "
             "timestamp may have a time, as in 2025-01-31 12:00. "
             "Example: 2029-12-31",
         .applies = sc_when_ranged,
         .check = sc_check_high,
         .after = sc_say_midnight},
    [SC_ASK_STEP] =
        {.name = "step",
         .line = "column",
         .scope = SC_SCOPE_COLUMN,
         .is_optional = true,
         .ask = "Step of a decimal: values are rounded to a multiple of it. Press Enter "
                "for 0.01.",
         .help = "The step is the smallest difference between two values that matters. "
                 "It is a power of 10 or of 2. Example: 0.01 for cents",
         .legal = "a power of 10 or of 2 that divides both ends, such as 0.001 or 0.125",
         .applies = sc_when_decimal,
         .check = sc_check_step},
    [SC_ASK_SECRET] =
        {.name = "use",
         .line = "column",
         .scope = SC_SCOPE_COLUMN,
         .help = "Numbers of accounts, customers or telephones name a person. A question "
                 "that compares them singles people out and spends budget for nothing. "
                 "Type n to leave the column out.",
         .legal = "y or n",
         .applies = sc_when_identifier,
         .check = sc_check_choice,
         .before = sc_show_secret,
         .after = sc_say_ignored},
    [SC_ASK_KEYS] =
        {.name = "keys",
         .line = "keys",
         .scope = SC_SCOPE_COLUMN,
         .is_optional = true,
         .ask = "Public keys, separated by commas, or @FILE with one per line: these "
                "groups are always shown. Press Enter if the values are not public; "
                "then only groups with enough people are shown (partition selection).",
         .help = "Public keys are values that everybody may know, whether somebody has "
                 "them or not; do not take them from the data. Without a list scrim "
                 "shows only groups with enough people, by a noisy count (partition "
                 "selection), which needs a delta above 0. Example: Female,Male",
         .applies = sc_when_text,
         .check = sc_check_keys,
         .after = sc_say_treatment},
    [SC_ASK_DECIMAL] =
        {.name = "decimal mark in the file",
         .line = "decimal",
         .fallback = ".",
         .ask = "Which decimal mark does the file use? Type . (the default) or , as in "
                "1,5.",
         .help = "scrim cannot read a number with another decimal mark and treats it as "
                 "missing. This is about the file only: type numbers here and in "
                 "questions with a point. Example: ,",
         .legal = ". or ,",
         .applies = sc_when_marks,
         .check = sc_check_line},
    [SC_ASK_DATES] =
        {.name = "date format in the file",
         .line = "date-format",
         .fallback = "YYYY-MM-DD",
         .ask = "How does the file write dates? The default is YYYY-MM-DD; others are "
                "DD.MM.YYYY, M/D/YYYY or YYYYMMDD.",
         .help = "scrim cannot read a date in another format and treats it as missing. "
                 "YYYY is the year; MM and DD have two digits, M and D one or two; "
                 "points, slashes, hyphens or blanks may stand between them. This is "
                 "about the file only: type dates here and in questions as 2025-01-31. "
                 "Example: DD.MM.YYYY",
         .legal = "YYYY, MM or M, and DD or D, with . / - or blanks between them, such "
                  "as DD.MM.YYYY",
         .applies = sc_when_dates,
         .check = sc_check_line},
    [SC_ASK_NULLS] =
        {.name = "texts that mean missing",
         .line = "null",
         .is_optional = true,
         .ask = "Which texts in a cell mean that a value is missing? An empty cell "
                "always does. Press Enter for none.",
         .help = "Some programs write a word where there is no value. Separate several "
                 "with commas. Example: NA,NULL",
         .applies = sc_when_forms,
         .check = sc_check_line},
    [SC_ASK_ZONE] =
        {.name = "zone",
         .line = "zone",
         .ask = "Time zone of times without an offset: UTC, +01:00 or Europe/Berlin.",
         .help = "Times in the file that have no offset are read as times of this zone. "
                 "Days and hours of answers are those of this zone. Example: "
                 "Europe/Berlin",
         .legal = "UTC, an offset such as +01:00, or a name such as Europe/Berlin",
         .applies = sc_when_times,
         .check = sc_check_line},
    [SC_ASK_LOOK] =
        {.name = "table of bounds",
         .line = "bounds-from",
         .fallback = "n",
         .ask = "Next: how many rows may one person contribute to an answer? scrim can "
                "read the rows and show you what each choice keeps. Type y to see that "
                "table, or n (the default).",
         .help = "The table is about raw data: only you may see it. Bounds chosen by it "
                 "are chosen with sight of the data, which no epsilon covers; labels say "
                 "so. 'scrim suggest' finds bounds privately later.",
         .legal = "y or n",
         .applies = sc_when_lookable,
         .check = sc_check_choice},
    [SC_ASK_BY] =
        {.name = "group by",
         .line = "bounds-from",
         .is_optional = true,
         .ask = "Press Enter for a total of rows that suits typical questions. Or type "
                "what all questions will group by: columns, or expressions such as "
                "MONTH(day).",
         .help =
             "The table compares totals of rows for typical questions. With columns "
             "it compares groups and rows for questions by these, and counts how many "
             "groups one person is in. Example: sex,city or city,MONTH(day)",
         .applies = sc_when_looking,
         .check = sc_check_by},
    [SC_ASK_AT] =
        {.name = "epsilon of the table",
         .line = "bounds-from",
         .ask = "Epsilon of one question? The table marks the bounds with the smallest "
                "error for it.",
         .help = "Larger bounds keep more rows and need more noise; the best choice "
                 "depends on the epsilon of a question. Nothing is charged. Example: 0.5",
         .legal = "a number above 0, such as 0.5",
         .applies = sc_when_looking,
         .check = sc_check_at,
         .after = sc_say_table_epsilon},
    [SC_ASK_ALL_ROWS] =
        {.name = "max-total-rows",
         .line = "max-total-rows",
         .is_optional = true,
         .ask = "At most how many rows may one person contribute to an answer? Further "
                "rows are ignored; a larger number keeps more rows and needs more noise. "
                "Press Enter to bound groups, and rows per group, instead.",
         .help =
             "One total suits every question; answers say how many people had more "
             "rows. Every question may choose another. Type 1 if every person has one "
             "row. Example: 60",
         .legal = "a whole number from 1 to 1000000000, or none",
         .applies = sc_when_all_rows,
         .check = sc_check_line,
         .before = sc_show_bounds},
    [SC_ASK_ONE_ROW] =
        {.name = "one row each",
         .line = "rows-per-unit",
         .fallback = "n",
         .ask = "Does every person have one row anyway? Type y if that is a fact about "
                "the data, or n (the default) if it is a bound that may cut people.",
         .help = "Where it is a fact, answers need not count how many people were cut, "
                 "which saves a twentieth of their cost. Further rows of a person are "
                 "ignored all the same.",
         .legal = "y or n",
         .applies = sc_when_one_row,
         .check = sc_check_choice},
    [SC_ASK_MAX_GROUPS] =
        {.name = "max-groups",
         .line = "max-groups",
         .help = "A group is a row of an answer, such as one city. Type 1 if every "
                 "person has one row. Example: 3",
         .legal = "a whole number from 1 to 1000000000",
         .applies = sc_when_groups,
         .check = sc_check_line,
         .before = sc_show_groups},
    [SC_ASK_MAX_ROWS] =
        {.name = "max-rows",
         .line = "max-rows",
         .ask = "At most how many rows may one person contribute to a group?",
         .help = "scrim ignores further rows, so totals will be lower. Type 1 if every "
                 "person has one row. Example: 5",
         .legal = "a whole number from 1 to 1000000000",
         .applies = sc_when_groups,
         .check = sc_check_line,
         .before = sc_show_bounds},
    [SC_ASK_TOTAL] =
        {.name = "max-total",
         .line = "max-total",
         .scope = SC_SCOPE_COLUMN,
         .is_optional = true,
         .ask = "At most how much may one person add to a sum in a group? SUM then uses "
                "the bound that needs less noise. Press Enter for no such bound.",
         .help = "The sum of one person in a group is clamped to this number, or to "
                 "LOW,HIGH. It is a multiple of the column's step. Example: 500",
         .legal = "a multiple of the column's step, such as 500, or two as in -100,500",
         .applies = sc_when_total,
         .check = sc_check_line},
    [SC_ASK_POPULATION] =
        {.name = "population",
         .line = "population",
         .is_optional = true,
         .ask = "Are there other tables about the same people? Then type their "
                "population, so that they share one budget. The default is the name of "
                "the dataset.",
         .help = "A population is the people of one or more tables. Two budgets for the "
                 "same people would let them lose twice as much privacy. Example: town",
         .legal = "a name of letters, digits, '_', '.' and '-'",
         .applies = sc_when_always,
         .check = sc_check_line,
         .before = sc_show_twin},
    [SC_ASK_NEIGHBOURS] =
        {.name = "neighbours",
         .line = "neighbours",
         .fallback = "add-remove",
         .ask = "Is the number of people secret? Type yes (add-remove, the default) or "
                "no (replace).",
         .help = "With add-remove nobody learns whether a person is in the data. With "
                 "replace the number of people is public, and only their values are "
                 "protected. Example: yes",
         .legal = "yes (add-remove) or no (replace)",
         .applies = sc_when_new,
         .check = sc_check_neighbours},
    [SC_ASK_EPSILON] =
        {.name = "epsilon",
         .line = "budget",
         .ask = "Total privacy budget, for ever. Epsilon 1 is cautious; 5 or more "
                "is hardly any protection. " NUMBER_HELP,
         .help =
             "All questions together cost at most this epsilon. Nothing renews it. For "
             "health or income take 1 or less. Example: 1",
         .legal = "a number above 0, such as 3, 0.5 or 1/3",
         .applies = sc_when_budget,
         .check = sc_check_epsilon,
         .after = sc_say_epsilon},
    [SC_ASK_DELTA] =
        {.name = "delta",
         .line = "budget",
         .is_optional = true,
         .ask = "Delta is 0 by default and should be well below 1 / the number of "
                "people.",
         .help = "Delta is the small probability that the epsilon guarantee may fail. "
                 "Private keys and some functions need one above 0. Example: 1e-6",
         .legal = "a number of at least 0 and less than 1, such as 1e-6",
         .applies = sc_when_budget,
         .check = sc_check_delta,
         .after = sc_say_delta},
    [SC_ASK_OTHER] =
        {.name = "value",
         .scope = SC_SCOPE_OTHER,
         .help = "The value of this line of the policy. 'scrim help dataset' explains "
                 "each line.",
         .applies = sc_when_always,
         .check = sc_check_line},
};
