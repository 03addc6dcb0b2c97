/* The library has the rules for clean text and for the nearest name (base/text), but no public
 * header shows them, and the command line sees public headers only. So they are written here
 * again, and complaint_test.c compares them with the library's. */
#include "cli/terminal/complaint.h"

#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Longer names have no nearest name. */
#define NAME_BYTES 63

scrim_status(sc_complaint_fill)(scrim_error *error, scrim_status status,
                                const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return status;
    va_start(arguments, format);
    *error = (scrim_error){.status = status};
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

const char *sc_complaint_remedy(int number, bool is_made)
{
    if (number == EMFILE || number == ENFILE)
        return "; raise the limit of open files (ulimit -n)";
    if (number == EACCES || number == EPERM)
        return is_made ? "; check who may write the folder"
                       : "; check the rights of the file and its folders";
    if (number == ENOENT || number == ENOTDIR)
        return is_made ? "; create the folder first" : "; check its name";
    return "";
}

void sc_complaint_append(scrim_error *error, const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return;
    const size_t used = strlen(error->message), room = sizeof error->message - used;
    va_start(arguments, format);
    const int needed = vsnprintf(error->message + used, room, format, arguments);
    va_end(arguments);
    if (needed < 0 || (size_t)needed >= room)
        error->message[used] = '\0';
}

/* The bytes of the character that text begins with; 0 when it must not be shown. */
static size_t character_bytes(const unsigned char *text)
{
    unsigned value = text[0];
    if (value < 0x80)
        return value >= ' ' && value != 0x7f;
    size_t bytes = value < 0xc0 ? 0 : value < 0xe0 ? 2 : value < 0xf0 ? 3 : 4;
    if (bytes == 0 || value >= 0xf8)
        return 0;
    value &= 0x7fU >> bytes;
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80) /* the terminator, too, ends here */
            return 0;
        value = value << 6 | (text[i] & 0x3f);
    }
    /* Below a0 lie the control characters of two bytes, and what is spelt too long. */
    static const unsigned least[] = {0xa0, 0x800, 0x10000};
    bool layout = value == 0x61c || value == 0x200e || value == 0x200f || /* marks */
                  (value >= 0x2028 && value <= 0x202e) || /* separators, embeddings */
                  (value >= 0x2066 && value <= 0x2069);   /* isolates */
    bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (value < least[bytes - 2] || value > 0x10ffff || layout || surrogate)
        return 0;
    return bytes;
}

void sc_complaint_clean(char *text)
{
    while (*text != '\0') {
        size_t bytes = character_bytes((const unsigned char *)text);
        if (bytes == 0)
            *text = '?';
        text += bytes == 0 ? 1 : bytes;
    }
}

void sc_complaint_print(const char *verb, const scrim_error *error, const char *advice)
{
    scrim_error shown = *error;
    sc_complaint_clean(shown.message);
    sc_talk("%s%s%s%s:%s %s%s\n", sc_talk_colour(SC_FAILURE), SC_PROGRAM,
            verb == NULL ? "" : " ", verb == NULL ? "" : verb, sc_talk_colour(SC_PLAIN),
            shown.message, advice);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b: the
 * three last rows of the usual table, where rows[i % 3] is about the first i bytes of a.
 */
static size_t edit_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    size_t rows[3][NAME_BYTES + 1];
    for (size_t i = 0; i <= a_bytes; i++) {
        size_t *row = rows[i % 3];
        const size_t *previous = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        for (size_t j = 0; j <= b_bytes; j++) {
            if (i == 0 || j == 0) {
                row[j] = i + j;
                continue;
            }
            size_t replaced = previous[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = smaller(replaced, smaller(previous[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
    }
    return rows[a_bytes % 3][b_bytes];
}

void sc_nearest_init(sc_nearest *nearest, const char *misspelt)
{
    /* Dashes in front are no evidence: "-x" is not nearly "-n". */
    *nearest = (sc_nearest){.misspelt = misspelt + strspn(misspelt, "-")};
    const size_t bytes = strlen(nearest->misspelt);
    /* Further away is another word. */
    nearest->nearer_than = bytes > NAME_BYTES ? 0 : smaller(3, bytes);
}

bool sc_nearest_offer(sc_nearest *nearest, const char *name)
{
    const char *seen = name + strspn(name, "-");
    const size_t bytes = strlen(seen);
    if (bytes > NAME_BYTES || nearest->nearer_than == 0)
        return false;
    const size_t distance =
        edit_distance(nearest->misspelt, strlen(nearest->misspelt), seen, bytes);
    if (distance >= nearest->nearer_than)
        return false;
    nearest->nearer_than = distance;
    snprintf(nearest->name, sizeof nearest->name, "%s", seen);
    return true;
}

const char *sc_nearest_name(const char *misspelt, const char *(*name_at)(size_t index))
{
    const char *found = NULL;
    sc_nearest nearest;
    sc_nearest_init(&nearest, misspelt);
    for (size_t index = 0; name_at(index) != NULL; index++)
        if (sc_nearest_offer(&nearest, name_at(index)))
            found = name_at(index);
    return found;
}
