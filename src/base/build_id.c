#include "base/build_id.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct search {
    uintptr_t inside; /* an address of this library */
    char *text;
    bool is_found;
} search;

static size_t padded(size_t bytes)
{
    return (bytes + 3) & ~(size_t)3;
}

/* Notes follow each other: sizes, type, "GNU", and what it is about. */
static void read_notes(const unsigned char *at, size_t bytes, search *s)
{
    ElfW(Nhdr) note;
    while (bytes >= sizeof note && !s->is_found) {
        memcpy(&note, at, sizeof note);
        const size_t name = padded(note.n_namesz), about = padded(note.n_descsz);
        if (name > bytes - sizeof note || about > bytes - sizeof note - name)
            return;
        const unsigned char *id = at + sizeof note + name;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(at + sizeof note, "GNU", 4) == 0 &&
            2 * (size_t)note.n_descsz < SC_BUILD_ID_BYTES) {
            for (size_t i = 0; i < note.n_descsz; i++)
                snprintf(s->text + 2 * i, 3, "%02x", id[i]);
            s->is_found = true;
        }
        at += sizeof note + name + about;
        bytes -= sizeof note + name + about;
    }
}

static bool holds(const struct dl_phdr_info *object, uintptr_t address)
{
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        const uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && address >= start &&
            address - start < part->p_memsz)
            return true;
    }
    return false;
}

static int look_at(struct dl_phdr_info *object, size_t bytes, void *context)
{
    search *s = context;
    (void)bytes;
    if (!holds(object, s->inside))
        return 0;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        /* The loader has put the notes there. */
        if (part->p_type == PT_NOTE)
            /* NOLINTNEXTLINE(performance-no-int-to-ptr): the loader says it so */
            read_notes((const unsigned char *)(object->dlpi_addr + part->p_vaddr),
                       part->p_memsz, s);
    }
    return 1;
}

bool sc_build_id(char text[SC_BUILD_ID_BYTES])
{
    static const char mark = 0;
    search s = {.inside = (uintptr_t)&mark, .text = text};
    text[0] = '\0';
    (void)dl_iterate_phdr(look_at, &s);
    return s.is_found;
}

#ifdef SCRIM_TESTING
const bool sc_is_test_build = true;
#else
const bool sc_is_test_build = false;
#endif
