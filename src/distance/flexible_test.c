#include "distance/flexible.h"
#include "exact.h"

#include <string.h>

static void set(sc_ratio *out, const char *text)
{
    sc_ratio_clear(out);
    exact_ratio(text, out);
}

static const char *shown(const sc_flexible_claim *x)
{
    static char text[SC_FLEXIBLE_TEXT_BYTES];
    const size_t length = sc_flexible_format(x, text, sizeof text);
    CHECK_INT(length, strlen(text));
    return text;
}

TEST(flexible_record_says_what_it_is_a_statement_of)
{
    CLAIM("flexible.record");
    sc_flexible_claim x, copy;
    sc_flexible_init(&x);
    sc_flexible_init(&copy);
    CHECK_STR(shown(&x),
              "alpha=0 beta=0 gamma=0 distortion=drop metric=absolute case=worst");
    set(&x.alpha, "0.054");
    set(&x.beta, "1/10");
    set(&x.gamma, "1/20");
    x.is_average = true;
    x.metric = SC_METRIC_HAUSDORFF;
    CHECK_STATUS(sc_flexible_check(&x, NULL), SCRIM_OK);
    CHECK_STR(shown(&x), "alpha=0.054 beta=0.1 gamma=0.05 distortion=drop "
                         "metric=hausdorff case=average");
    set(&x.alpha, "27");
    set(&x.beta, "0");
    x.is_count = true;
    x.is_beta_unbounded = true;
    CHECK_STATUS(sc_flexible_check(&x, NULL), SCRIM_OK);
    sc_flexible_set(&copy, &x);
    CHECK_STR(shown(&copy), "dropped=27 beta=unbounded gamma=0.05 distortion=drop "
                            "metric=hausdorff case=average");
    x.is_count = x.is_beta_unbounded = x.is_average = false;
    x.distortion = SC_DISTORTION_DROP_MOVE;
    set(&x.eta, "1/2");
    x.metric = SC_METRIC_MOVE_MAX;
    CHECK_STATUS(sc_flexible_check(&x, NULL), SCRIM_OK);
    CHECK_STR(shown(&x), "alpha=27 beta=0 gamma=0.05 distortion=drop-move eta=0.5 "
                         "metric=move-max case=worst");
    sc_flexible_clear(&copy);
    sc_flexible_clear(&x);
}

TEST(flexible_record_is_rounded_up_where_it_is_long)
{
    CLAIM("flexible.record");
    static const char *const long_numbers[] = {"1e-330", "2^-1100", "1e330"};
    for (size_t i = 0; i < COUNT(long_numbers); i++) {
        sc_flexible_claim x;
        sc_ratio read;
        scrim_certificate certificate;
        SC_OWN(sc_certificate, exact);
        sc_flexible_init(&x);
        set(&x.alpha, long_numbers[i]);
        set(&x.beta, long_numbers[i]);
        CHECK(strlen(shown(&x)) < SC_FLEXIBLE_TEXT_BYTES);
        sc_flexible_certificate(&x, "nothing", &exact);
        sc_certificate_format(&exact, &certificate);
        CHECK_INT(certificate.form, SCRIM_CERTIFICATE_FLEXIBLE);
        CHECK_STR(certificate.excludes, "nothing");
        CHECK(strstr(shown(&x), certificate.alpha) != NULL);
        exact_ratio(certificate.beta, &read);
        CHECK(sc_ratio_compare(&read, &x.beta) >= 0);
        x.is_beta_unbounded = true;
        sc_flexible_certificate(&x, NULL, &exact);
        sc_certificate_format(&exact, &certificate);
        CHECK_STR(certificate.beta, "");
        sc_ratio_clear(&read);
        sc_flexible_clear(&x);
    }
}

/* One thing wrong at a time. */
TEST(flexible_record_that_cannot_be_true_is_refused)
{
    for (int wrong = 0; wrong < 11; wrong++) {
        sc_flexible_claim x;
        sc_flexible_init(&x);
        CHECK_STATUS(sc_flexible_check(&x, NULL), SCRIM_OK);
        set(wrong == 0   ? &x.alpha
            : wrong == 1 ? &x.beta
            : wrong == 2 ? &x.gamma
                         : &x.eta,
            wrong < 4 ? "-1" : "0");
        if (wrong == 3)
            x.distortion = SC_DISTORTION_DROP_MOVE;
        if (wrong == 4)
            set(&x.gamma, "1.000001");
        if (wrong == 5)
            set(&x.eta, "1");
        if (wrong == 6) {
            x.is_count = true;
            set(&x.alpha, "1/2");
        }
        if (wrong == 7) {
            x.is_count = true;
            x.distortion = SC_DISTORTION_MOVE;
        }
        if (wrong == 8) {
            x.is_beta_unbounded = true;
            set(&x.beta, "1");
        }
        if (wrong == 9)
            x.metric = "two words";
        if (wrong == 10)
            x.distortion = (sc_distortion)0;
        if (!CHECK_STATUS(sc_flexible_check(&x, NULL), SCRIM_E_PARAM))
            CHECK_FAIL("number %d was let through", wrong);
        sc_flexible_clear(&x);
    }
}

TEST(flexible_distortions_have_names)
{
    sc_distortion read;
    for (sc_distortion d = SC_DISTORTION_DROP; d <= SC_DISTORTION_DROP_MOVE; d++) {
        REQUIRE(sc_distortion_parse(sc_text_of(sc_distortion_name(d)), &read));
        CHECK_INT(read, d);
    }
    CHECK(!sc_distortion_parse(sc_text_of("dropped"), &read));
}
