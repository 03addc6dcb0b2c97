#include "cli/terminal/line_editor.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/process.h"
#include "cli/terminal/terminal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Entries that the history keeps in memory, and bytes at the end of its file that are read. */
#define ENTRIES 1000
#define HISTORY_BYTES ((off_t)1 << 18)
#define SHOWN_MOST 200

struct sc_line_editor {
    EditLine *terminal; /* NULL: lines are read as they are */
    History *history;
    int file; /* of the history; -1: none */
    const char *prompt;
    bool is_dropped;
    bool has_ended; /* standard input */
    bool is_answer; /* the line is one word, with its blanks and signs */
    sc_line_completer *completer;
    void *context;
    char *line;
    size_t capacity;
};

struct sc_line_words {
    const char *word;
    size_t bytes;
    char **list;
    size_t count, capacity;
};

/* Words. */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void sc_line_words_offer(sc_line_words *words, const char *candidate)
{
    if (strncasecmp(candidate, words->word, words->bytes) != 0)
        return;
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->list[i], candidate) == 0)
            return;
    if (words->count == words->capacity) {
        const size_t room = words->capacity == 0 ? 32 : 2 * words->capacity;
        char **list = realloc(words->list, room * sizeof *list);
        if (list == NULL)
            return;
        words->list = list;
        words->capacity = room;
    }
    if ((words->list[words->count] = strdup(candidate)) != NULL)
        words->count++;
}

void sc_line_words_offer_files(sc_line_words *words)
{
    const char *slash = memrchr(words->word, '/', words->bytes);
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - words->word) + 1;
    char path[4096], name[4096 + 256];
    if (folder >= sizeof path || sc_rights_are_borrowed() || sc_rights_are_lent(NULL))
        return;
    snprintf(path, sizeof path, "%.*s", (int)folder, words->word);
    DIR *entries = opendir(folder == 0 ? "." : path);
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        snprintf(name, sizeof name, "%s%s%s", path, entry->d_name,
                 entry->d_type == DT_DIR ? "/" : "");
        if (entry->d_name[0] != '.')
            sc_line_words_offer(words, name);
    }
    if (entries != NULL)
        closedir(entries);
}

/* Candidates that are spelt as the word is, where there are any: "se" means sex before it means SELECT. */
static void prefer_same_case(sc_line_words *words)
{
    size_t kept = 0;
    for (size_t i = 0; i < words->count; i++)
        if (strncmp(words->list[i], words->word, words->bytes) == 0) {
            char *same = words->list[i];
            words->list[i] = words->list[kept];
            words->list[kept++] = same;
        }
    while (kept > 0 && words->count > kept)
        free(words->list[--words->count]);
}

static void clear_words(sc_line_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
}

/* A word is what stands behind the last blank or sign; a quoted name begins with its quote, and a file name has no
 * other end than a blank. */
static size_t word_start(const char *line, size_t cursor)
{
    const bool is_command = line[0] == '\\';
    bool is_quoted = false;
    size_t start = 0;
    for (size_t i = 0; i < cursor; i++) {
        const char c = line[i];
        if (c == '"' || c == '\'') {
            is_quoted = !is_quoted;
            start = is_quoted ? i : i + 1;
        } else if (!is_quoted &&
                   strchr(is_command ? " \t" : " \t(),;=<>+-*/", c) != NULL) {
            start = i + 1;
        }
    }
    return start;
}

/* How many bytes all candidates have in common. */
static size_t common_bytes(const sc_line_words *words)
{
    size_t common = strlen(words->list[0]);
    for (size_t i = 1; i < words->count; i++) {
        size_t same = 0;
        while (same < common && words->list[i][same] == words->list[0][same])
            same++;
        common = same;
    }
    return common;
}

static void show_words(const sc_line_words *words)
{
    sc_terminal terminal;
    size_t widest = 1, column = 0;
    sc_terminal_look(STDERR_FILENO, &terminal);
    for (size_t i = 0; i < words->count; i++)
        widest = strlen(words->list[i]) > widest ? strlen(words->list[i]) : widest;
    fputc('\n', stderr);
    for (size_t i = 0; i < words->count && i < SHOWN_MOST; i++) {
        const size_t width = widest + 2;
        if (column > 0 && column + width > terminal.columns) {
            fputc('\n', stderr);
            column = 0;
        }
        fprintf(stderr, "%-*s", (int)width, words->list[i]);
        column += width;
    }
    fputc('\n', stderr);
    if (words->count > SHOWN_MOST)
        fprintf(stderr, "and %zu more\n", words->count - SHOWN_MOST);
}

static void replace_word(EditLine *terminal, const sc_line_words *words, size_t keep)
{
    char text[512];
    const char last = keep == 0 ? ' ' : words->list[0][keep - 1];
    const bool is_whole = words->count == 1 && strchr("(=/ ", last) == NULL;
    snprintf(text, sizeof text, "%.*s%s", (int)keep, words->list[0], is_whole ? " " : "");
    el_deletestr(terminal, (int)words->bytes);
    (void)el_insertstr(terminal, text);
}

/* Tab: as much as all candidates have in common is put in, and where that is no more than stands there, they are
 * listed. */
static unsigned char complete(EditLine *terminal, int key)
{
    sc_line_editor *editor = NULL;
    (void)key;
    (void)el_get(terminal, EL_CLIENTDATA, &editor);
    const LineInfo *info = el_line(terminal);
    const size_t cursor = (size_t)(info->cursor - info->buffer);
    char *line = strndup(info->buffer, cursor);
    if (line == NULL)
        return CC_ERROR;
    const size_t start = editor->is_answer ? 0 : word_start(line, cursor);
    sc_line_words words = {.word = line + start, .bytes = cursor - start};
    editor->completer(editor->context, line, start, &words);
    unsigned char result = CC_ERROR;
    prefer_same_case(&words);
    if (words.count > 0) {
        qsort(words.list, words.count, sizeof *words.list, by_name);
        const size_t common = common_bytes(&words);
        result = CC_REFRESH;
        if (common > words.bytes || words.count == 1) {
            replace_word(terminal, &words, common);
        } else {
            show_words(&words);
            result = CC_REDISPLAY;
        }
    }
    clear_words(&words);
    free(line);
    return result;
}

/* Ctrl-C is a key while a line is edited: a signal would end the process. */
static unsigned char drop(EditLine *terminal, int key)
{
    sc_line_editor *editor = NULL;
    (void)key;
    (void)el_get(terminal, EL_CLIENTDATA, &editor);
    editor->is_dropped = true;
    return CC_EOF;
}

static char *prompt_of(EditLine *terminal)
{
    sc_line_editor *editor = NULL;
    (void)el_get(terminal, EL_CLIENTDATA, &editor);
    return (char *)(uintptr_t)editor->prompt; /* libedit only reads it */
}

static bool start_terminal(sc_line_editor *editor)
{
    HistEvent event;
    editor->terminal = el_init("scrim", stdin, stderr, stderr);
    editor->history = history_init();
    if (editor->terminal == NULL || editor->history == NULL)
        return false;
    EditLine *terminal = editor->terminal;
    (void)history(editor->history, &event, H_SETSIZE, ENTRIES);
    (void)history(editor->history, &event, H_SETUNIQUE, 1);
    (void)el_set(terminal, EL_CLIENTDATA, editor);
    (void)el_set(terminal, EL_PROMPT, prompt_of);
    (void)el_set(terminal, EL_EDITOR, "emacs");
    (void)el_set(terminal, EL_HIST, history, editor->history);
    (void)el_set(terminal, EL_ADDFN, "scrim-complete", "complete the word", complete);
    (void)el_set(terminal, EL_BIND, "^I", "scrim-complete", NULL);
    (void)el_set(terminal, EL_ADDFN, "scrim-drop", "drop the line", drop);
    (void)el_set(terminal, EL_SETTY, "-d", "-isig", NULL);
    (void)el_set(terminal, EL_BIND, "^C", "scrim-drop", NULL);
    (void)el_set(terminal, EL_BIND, "^R", "em-inc-search-prev", NULL);
    return true;
}

bool sc_line_editor_is_possible(void)
{
    return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 && sc_terminal_moves();
}

scrim_status sc_line_editor_open(bool is_edited, sc_line_completer *completer,
                                 void *context, sc_line_editor **out, scrim_error *error)
{
    sc_line_editor *editor = calloc(1, sizeof *editor);
    if (editor == NULL)
        return sc_out_of_memory(error, "lines");
    editor->completer = completer;
    editor->context = context;
    editor->file = -1;
    editor->prompt = "";
    if (is_edited && !start_terminal(editor)) {
        sc_line_editor_close(editor);
        return sc_out_of_memory(error, "lines");
    }
    *out = editor;
    return SCRIM_OK;
}

void sc_line_editor_close(sc_line_editor *editor)
{
    if (editor == NULL)
        return;
    if (editor->history != NULL)
        history_end(editor->history);
    if (editor->terminal != NULL)
        el_end(editor->terminal);
    if (editor->file >= 0)
        close(editor->file);
    free(editor->line);
    free(editor);
}

void sc_line_editor_take_answers(sc_line_editor *editor)
{
    editor->is_answer = true;
}

/* Lines. */

static bool put_byte(sc_line_editor *editor, size_t used, char byte)
{
    if (used + 1 >= editor->capacity) {
        const size_t room = editor->capacity == 0 ? 256 : 2 * editor->capacity;
        char *line = realloc(editor->line, room);
        if (line == NULL)
            return false;
        editor->line = line;
        editor->capacity = room;
    }
    editor->line[used] = byte;
    editor->line[used + 1] = '\0';
    return true;
}

/* A byte at a time, so that a command that reads standard input itself finds what follows the line. The last line may
 * lack its end. */
static sc_line_end read_plainly(sc_line_editor *editor)
{
    size_t used = 0;
    bool is_wrong = !put_byte(editor, 0, '\0'), has_byte = false;
    char byte = '\0';
    while (byte != '\n' && !editor->has_ended) {
        const ssize_t got = read(STDIN_FILENO, &byte, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            editor->has_ended = true;
        if (got <= 0 || byte == '\n')
            continue;
        has_byte = true;
        is_wrong = is_wrong || byte == '\0' || !put_byte(editor, used, byte);
        /* An endless line has no end to go on behind. */
        if (++used > SC_LINE_BYTES)
            is_wrong = editor->has_ended = true;
    }
    if (editor->has_ended && !has_byte)
        return SC_LINE_LAST;
    if (is_wrong)
        return SC_LINE_WRONG;
    if (used > 0 && editor->line[used - 1] == '\r')
        editor->line[used - 1] = '\0';
    return SC_LINE_READ;
}

static sc_line_end read_edited(sc_line_editor *editor)
{
    int count = 0;
    editor->is_dropped = false;
    const char *text = el_gets(editor->terminal, &count);
    if (editor->is_dropped) {
        fputs("^C\n", stderr);
        el_reset(editor->terminal);
        return SC_LINE_DROPPED;
    }
    if (text == NULL || count <= 0) {
        fputc('\n', stderr);
        return SC_LINE_LAST;
    }
    const size_t bytes = strcspn(text, "\r\n");
    if (bytes >= SC_LINE_BYTES)
        return SC_LINE_WRONG;
    free(editor->line);
    editor->capacity = 0;
    editor->line = strndup(text, bytes);
    return editor->line == NULL ? SC_LINE_WRONG : SC_LINE_READ;
}

sc_line_end sc_line_editor_read(sc_line_editor *editor, const char *prompt,
                                const char **line)
{
    sc_line_end end;
    editor->prompt = prompt;
    if (editor->terminal != NULL) {
        end = read_edited(editor);
    } else {
        if (isatty(STDIN_FILENO) == 1)
            fputs(prompt, stderr);
        end = read_plainly(editor);
    }
    *line = end == SC_LINE_READ ? editor->line : "";
    return end;
}

/* History. */

static void enter(sc_line_editor *editor, const char *text)
{
    HistEvent event;
    (void)history(editor->history, &event, H_ENTER, text);
}

static void read_history(sc_line_editor *editor)
{
    struct stat facts;
    if (fstat(editor->file, &facts) != 0 || !S_ISREG(facts.st_mode))
        return;
    const off_t from = facts.st_size > HISTORY_BYTES ? facts.st_size - HISTORY_BYTES : 0;
    char *bytes = malloc((size_t)(facts.st_size - from) + 1), *at = bytes, *rest = NULL;
    if (bytes == NULL)
        return;
    const ssize_t got = pread(editor->file, bytes, (size_t)(facts.st_size - from), from);
    bytes[got < 0 ? 0 : got] = '\0';
    if (from > 0) /* the first line may have lost its beginning */
        at += strcspn(at, "\n");
    for (char *line = strtok_r(at, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        sc_complaint_clean(line);
        enter(editor, line);
    }
    free(bytes);
}

void sc_line_editor_keep(sc_line_editor *editor, const char *path)
{
    if (editor->terminal == NULL)
        return;
    editor->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (editor->file < 0)
        return;
    (void)fchmod(editor->file, 0600);
    read_history(editor);
}

void sc_line_editor_remember(sc_line_editor *editor, const char *text)
{
    if (editor->terminal == NULL || text[strspn(text, " \t\r\n")] == '\0')
        return;
    /* In one line a comment would hide all that follows it. */
    if (strstr(text, "--") != NULL && strchr(text, '\n') != NULL)
        return;
    char *line = NULL;
    const int bytes = asprintf(&line, "%s\n", text);
    if (bytes < 0)
        return;
    for (int i = 0; i < bytes - 1; i++)
        if (line[i] == '\n' || line[i] == '\r')
            line[i] = ' ';
    /* One write, so that shells side by side do not mix their lines. */
    if (editor->file >= 0 && write(editor->file, line, (size_t)bytes) != bytes) {
        close(editor->file);
        editor->file = -1;
    }
    line[bytes - 1] = '\0';
    enter(editor, line);
    free(line);
}
