#include "check.h"
#include "cli/terminal/cell_sheet.h"
#include "faults.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const columns[] = {"name", "count"};
static const char *const cells[] = {"a\x1b[31mb", "1", "c,d", "2"};

/* What a child writes to standard output in that format. */
static void written(const char *format, char *text, size_t capacity)
{
    int channel[2], status = -1;
    size_t used = 0;
    text[0] = '\0';
    if (!CHECK(pipe(channel) == 0))
        return;
    const pid_t child = fork();
    if (child == 0) {
        static sc_options options;
        scrim_error error;
        sc_cell_sheet sheet = {.columns = columns,
                               .column_count = 2,
                               .numbers = 2,
                               .heading = "of two things"};
        options.value[SCRIM_OPTION_FORMAT] = format;
        dup2(channel[1], STDOUT_FILENO);
        const bool is_written =
            sc_cell_sheet_add(&sheet, cells, COUNT(cells), &error) == SCRIM_OK &&
            sc_cell_sheet_write(&sheet, &options, &error) == SCRIM_OK;
        sc_cell_sheet_clear(&sheet);
        _exit(is_written ? 0 : 1);
    }
    close(channel[1]);
    for (ssize_t count = 0; used + 1 < capacity; used += (size_t)count)
        if ((count = read(channel[0], text + used, capacity - 1 - used)) <= 0)
            break;
    text[used] = '\0';
    close(channel[0]);
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

TEST(cell_sheet_is_written_in_every_format)
{
    char text[2000];
    written(NULL, text, sizeof text);
    CHECK_STR(text, "name,count\na\x1b[31mb,1\n\"c,d\",2\n");
    written("jsonl", text, sizeof text);
    CHECK_STR(text, "{\"name\": \"a\\u001b[31mb\", \"count\": 1}\n"
                    "{\"name\": \"c,d\", \"count\": 2}\n");
    written("table", text, sizeof text);
    CHECK(strncmp(text, "of two things\n", 14) == 0);
    CHECK(strstr(text, "a?[31mb") != NULL && strchr(text, '\x1b') == NULL);
}

TEST(cell_sheet_lives_through_want_of_memory)
{
    FAULT_LOOP(fault)
    {
        sc_cell_sheet sheet = {.columns = columns, .column_count = 2};
        scrim_error error;
        const scrim_status status =
            sc_cell_sheet_add(&sheet, cells, COUNT(cells), &error);
        CHECK(status == SCRIM_OK || (status == SCRIM_E_MEMORY && fault_hit()));
        sc_cell_sheet_clear(&sheet);
        CHECK(sheet.cells == NULL && sheet.count == 0);
    }
}
