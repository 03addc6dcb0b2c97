#include "check.h"
#include "scene.h"
#include "vault/vault_view.h"

#include <stdio.h>
#include <string.h>

typedef struct listing {
    uint64_t count, entries[256];
} listing;

static scrim_status see(void *context, const scrim_vault_release *charge)
{
    listing *l = context;
    CHECK_INT(charge->id, ++l->count);
    l->entries[l->count] = charge->entry;
    return SCRIM_OK;
}

/* The epsilon of the n-th release that was made. */
static void epsilon_of(uint64_t number, char text[32])
{
    snprintf(text, 32, "%llu/1000", (unsigned long long)number + 1);
}

/* Whatever is entered between charges: the entry of a release has its number, both ways. */
static void check_numbers(scrim_vault *vault, uint64_t count)
{
    listing l = {.count = 0};
    CHECK_STATUS(scrim_vault_history(vault, NULL, 1, see, &l, NULL), SCRIM_OK);
    CHECK_INT(l.count, count);
    for (uint64_t i = 1; i <= count; i++) {
        char epsilon[32], line[128];
        scrim_vault_release release;
        uint64_t number = 0;
        if (!CHECK_STATUS(scrim_vault_replay(vault, i, &release, NULL), SCRIM_OK))
            return;
        CHECK(release.id == i && release.entry == l.entries[i]);
        CHECK_STATUS(sc_vault_release_of(vault, release.entry, &number, NULL), SCRIM_OK);
        CHECK_INT(number, i);
        CHECK_STATUS(sc_vault_release_of(vault, release.entry + 1, &number, NULL),
                     SCRIM_E_PARAM);
        CHECK_STATUS(
            scrim_vault_find(vault, "people", release.measurement, &number, NULL),
            SCRIM_OK);
        CHECK_INT(number, i);
        epsilon_of(i, epsilon);
        scrim_measurement *question = scene_question(epsilon);
        snprintf(line, sizeof line, "%s", scrim_measurement_text(question));
        CHECK_STR(release.measurement, line);
        scrim_measurement_free(question);
        scrim_vault_release_clear(&release);
    }
}

SLOW_TEST(releases_are_counted_whatever_is_entered_between_them)
{
    scene s;
    if (!scene_begin_vault(&s, "epsilon=1000", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    const uint64_t count = check_count(70, 250);
    for (uint64_t i = 1; i <= count; i++) {
        char epsilon[32], name[32], policy[64];
        uint64_t number = 0;
        epsilon_of(i, epsilon);
        scrim_vault_tell_time(vault, 1700000000 + i / 3);
        REQUIRE_OK(scene_spend(vault, epsilon, &number, NULL));
        CHECK_INT(number, i);
        if (i % 5 != 0)
            continue;
        snprintf(name, sizeof name, "d%llu", (unsigned long long)i);
        snprintf(policy, sizeof policy, "unit=row\npopulation=people");
        REQUIRE_OK(scrim_vault_add_dataset(vault, name, policy, NULL));
    }
    check_numbers(vault, count);
    scrim_vault_release none;
    CHECK_STATUS(scrim_vault_replay(vault, count + 1, &none, NULL), SCRIM_E_PARAM);
    scrim_vault_close(vault);
    vault = scene_open(&s);
    REQUIRE(vault != NULL);
    check_numbers(vault, count);
    scrim_vault_close(vault);
    scene_end(&s);
}
