#include "cli/terminal/interview.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool sc_interview_is_possible(void)
{
    return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

void sc_interview_say(const char *format, ...)
{
    char line[SC_ANSWER_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sc_complaint_clean(line);
    sc_talk("%s\n", line);
}

/* Reads a line of any length and keeps as much as fits; false at the end of input. Reads byte by
 * byte, so that what follows the line stays in the pipe or terminal for others. */
static bool read_line(char *line, size_t capacity)
{
    size_t used = 0;
    char byte = '\0';
    while (byte != '\n') {
        const ssize_t got = read(STDIN_FILENO, &byte, 1);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got == 1 && byte == '\0')
            byte = '?';
        if (got == 1 && byte != '\n' && used + 1 < capacity)
            line[used++] = byte;
    }
    line[used] = '\0';
    return true;
}

/* The same from a person who edits it. A line that is too long is asked for again. */
static bool edit_line(sc_line_editor *editor, const char *prompt,
                      char answer[SC_ANSWER_BYTES])
{
    char shown[SC_ANSWER_BYTES];
    const char *line = "";
    snprintf(shown, sizeof shown, "%s> ", prompt);
    sc_line_end end = sc_line_editor_read(editor, shown, &line);
    while (end == SC_LINE_WRONG || strlen(line) >= SC_ANSWER_BYTES) {
        sc_interview_say("  the line is too long; type at most %d bytes",
                         SC_ANSWER_BYTES - 1);
        end = sc_line_editor_read(editor, shown, &line);
    }
    snprintf(answer, SC_ANSWER_BYTES, "%s", line);
    return end == SC_LINE_READ;
}

scrim_status sc_interview_ask(sc_line_editor *editor, const char *prompt,
                              char answer[SC_ANSWER_BYTES], scrim_error *error)
{
    if (editor != NULL) {
        if (!edit_line(editor, prompt, answer))
            return sc_refuse(error, "cancelled; nothing was written");
    } else {
        sc_talk("%s> ", prompt);
        if (!read_line(answer, SC_ANSWER_BYTES)) {
            fputc('\n', stderr);
            return sc_refuse(error, "cancelled; nothing was written");
        }
    }
    const size_t blanks = strspn(answer, " \t");
    memmove(answer, answer + blanks, strlen(answer + blanks) + 1);
    for (size_t bytes = strlen(answer);
         bytes > 0 && strchr(" \t\r", answer[bytes - 1]) != NULL;)
        answer[--bytes] = '\0';
    return SCRIM_OK;
}
