/* A call without a pointer that it needs is refused, and names that parameter (scrim/status.h). */
#include "check.h"
#include "scrim.h"

/* Every function that needs a pointer, without any: the first that its header names is missing. */
#define REFUSED(name, call)                                                              \
    do {                                                                                 \
        scrim_error refusal, *const error = &refusal;                                    \
        const scrim_status status = call;                                                \
        if (!CHECK_STATUS(status, SCRIM_E_PARAM) ||                                      \
            !CHECK_STR(refusal.parameter, name) ||                                       \
            !CHECK_INT(refusal.reason, SCRIM_REASON_MISSING))                            \
            CHECK_FAIL("%s", #call);                                                     \
    } while (0)

TEST(a_null_pointer_is_named_by_numbers)
{
    REFUSED("kind", scrim_distance_between(NULL, NULL, 0, NULL, 0, NULL, NULL, error));
    REFUSED("first", scrim_flexible_apply(NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("first", scrim_flexible_distort(NULL, NULL, NULL, NULL, error));
    REFUSED("first", scrim_flexible_then(NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("measurement",
            scrim_flexible_evaluate(NULL, NULL, 0, NULL, 0, NULL, NULL, error));
    REFUSED("measurement",
            scrim_flexible_evaluate_average(NULL, NULL, 0, NULL, 0, NULL, NULL, error));
    REFUSED("measurement", scrim_flexible_evaluate_numbers(NULL, NULL, NULL, error));
    REFUSED("out", scrim_robust_bounds_of(NULL, NULL, NULL, NULL, error));
    REFUSED("out", scrim_theta_sensitivity(NULL, 0, NULL, 0, NULL, NULL, error));
    REFUSED("measurement", scrim_measurement_robustness(NULL, NULL, error));
    REFUSED("options", scrim_amplify(NULL, NULL, error));
    REFUSED("out", scrim_calibrate(NULL, NULL, NULL, error));
    REFUSED("line", scrim_calibration_curve(NULL, NULL, NULL, 0, NULL, NULL, error));
    REFUSED("out", scrim_composition_parse(NULL, NULL, error));
    REFUSED("composition", scrim_composition_group(NULL, 0, NULL, error));
    REFUSED("composition", scrim_composition_part_at(NULL, 0, NULL, error));
    REFUSED("composition", scrim_composition_epsilon(NULL, NULL, NULL, NULL, error));
    REFUSED("composition", scrim_composition_delta(NULL, NULL, NULL, NULL, error));
    REFUSED("composition", scrim_composition_curve(NULL, NULL, 0, NULL, NULL, error));
    REFUSED("composition",
            scrim_composition_growth(NULL, NULL, NULL, 0, NULL, NULL, error));
    REFUSED("text", scrim_distribution_parse(NULL, NULL, error));
    REFUSED("distribution", scrim_distribution_draw(NULL, 0, NULL, error));
    REFUSED("distribution", scrim_distribution_draw_wide(NULL, 0, NULL, error));
    REFUSED("distribution",
            scrim_distribution_probability(NULL, (scrim_wide){0}, (scrim_wide){0}, NULL,
                                           NULL, error));
    REFUSED("distribution", scrim_distribution_quantile(NULL, NULL, NULL, error));
    REFUSED("distribution", scrim_distribution_moments(NULL, NULL, error));
    REFUSED("out", scrim_laws_new(NULL, 0, NULL, 0, NULL, NULL, error));
    REFUSED("laws", scrim_divergence_of(NULL, NULL, NULL, error));
    REFUSED("measurement", scrim_threshold_weight(NULL, 0, NULL, error));
    REFUSED("stabilise", scrim_stabilised_cost(NULL, NULL, NULL, error));
    REFUSED("measurement", scrim_range_none_upper(NULL, 0, NULL, error));
    REFUSED("epsilon", scrim_group_size_lower(NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("measurement", scrim_group_size(NULL, NULL, NULL, error));
    REFUSED("measurement", scrim_threshold_describe(NULL, NULL, error));
    REFUSED("epsilon", scrim_sparsity_of(NULL, NULL, NULL, NULL, error));
    REFUSED("epsilon", scrim_suppression_of(NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("line", scrim_group_sizes_of(NULL, NULL, NULL, NULL, error));
    REFUSED("measurement", scrim_rounded_stlap_facts_of(NULL, NULL, error));
    REFUSED("plan", scrim_histogram_plan_find(NULL, NULL, error));
    REFUSED("measurement", scrim_histogram_new(NULL, NULL, NULL, error));
    REFUSED("histogram", scrim_histogram_statistic(NULL, NULL, NULL, error));
    REFUSED("histogram", scrim_histogram_separator(NULL, NULL, error));
    REFUSED("histogram", scrim_histogram_debiased(NULL, 0, NULL, error));
    REFUSED("plan", scrim_microdata_plan_find(NULL, NULL, error));
}

TEST(a_null_pointer_is_named_by_measurements)
{
    REFUSED("text", scrim_measurement_parse(NULL, NULL, error));
    REFUSED("text", scrim_measurement_parse_model(NULL, NULL, error));
    REFUSED("measurement", scrim_measurement_cost(NULL, NULL, error));
    REFUSED("measurement", scrim_measurement_group_cost(NULL, 0, NULL, error));
    REFUSED("measurement", scrim_measurement_delta_at(NULL, NULL, NULL, error));
    REFUSED("measurement", scrim_measurement_epsilon_at(NULL, NULL, NULL, error));
    REFUSED("measurement", scrim_measurement_renyi_at(NULL, NULL, NULL, error));
    REFUSED("measurement", scrim_measurement_certify(NULL, NULL, 0, NULL, error));
    REFUSED("out", scrim_ledger_new(NULL, NULL, error));
    REFUSED("ledger", scrim_ledger_spent(NULL, NULL, error));
    REFUSED("ledger", scrim_ledger_left(NULL, NULL, error));
    REFUSED("ledger", scrim_ledger_entry(NULL, 0, NULL, error));
    REFUSED("ledger", scrim_release(NULL, NULL, NULL, NULL, error));
    REFUSED("answer", scrim_answer_interval(NULL, 0, NULL, NULL, NULL, error));
    REFUSED("answer", scrim_answer_frequency(NULL, NULL, 0, NULL, NULL, error));
    REFUSED("measurement", scrim_answer_parse(NULL, NULL, 0, NULL, error));
    REFUSED("ledger", scrim_run_open(NULL, NULL, NULL, error));
    REFUSED("ledger", scrim_run_open_on(NULL, NULL, NULL, NULL, error));
    REFUSED("run", scrim_run_ask(NULL, 0, NULL, error));
    REFUSED("run", scrim_run_ask_text(NULL, NULL, NULL, error));
    REFUSED("out", scrim_audit(NULL, NULL, NULL, error));
    REFUSED("report", scrim_audit_check(NULL, error));
    REFUSED("report", scrim_audit_report_point(NULL, 0, NULL, error));
    REFUSED("report", scrim_audit_report_charged(NULL, NULL, error));
    REFUSED("report", scrim_audit_report_order(NULL, 0, NULL, error));
    REFUSED("measurement", scrim_audit_losses_new(NULL, NULL, NULL, error));
    REFUSED("losses", scrim_audit_losses_get(NULL, 0, NULL, error));
    REFUSED("losses", scrim_audit_losses_find(NULL, NULL, NULL, error));
    REFUSED("out", scrim_audit_by_sampling(NULL, NULL, NULL, error));
    REFUSED("sample", scrim_audit_sample_check(NULL, error));
}

TEST(a_null_pointer_is_named_by_bodies)
{
    REFUSED("text", scrim_body_read(NULL, 0, NULL, error));
    REFUSED("body", scrim_solid_new(NULL, NULL, error));
    REFUSED("solid", scrim_solid_redundant(NULL, NULL, error));
    REFUSED("solid", scrim_solid_center(NULL, NULL, NULL, NULL, error));
    REFUSED("solid", scrim_solid_project(NULL, NULL, NULL, NULL, error));
    REFUSED("solid", scrim_solid_support(NULL, NULL, NULL, NULL, error));
    REFUSED("solid", scrim_solid_minimise(NULL, NULL, 0, NULL, NULL, error));
    REFUSED("solid", scrim_solid_sample(NULL, NULL, NULL, NULL, error));
    REFUSED("solid", scrim_solid_volume(NULL, NULL, error));
    REFUSED("first", scrim_solid_compare(NULL, NULL, NULL, NULL, error));
    REFUSED("solid", scrim_solid_shadow(NULL, 0, 0, NULL, NULL, error));
    REFUSED("options", scrim_admissible_find(NULL, NULL, error));
    REFUSED("vault", scrim_body_fit_new(NULL, NULL, NULL, NULL, error));
    REFUSED("fit", scrim_body_fit_describe(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_body_fit_run(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_body_replay(NULL, 0, NULL, error));
    REFUSED("vault", scrim_synth_new(NULL, NULL, NULL, NULL, error));
    REFUSED("synth", scrim_synth_describe(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_synth_run(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_synth_replay(NULL, 0, NULL, error));
    REFUSED("synth", scrim_synth_check_rows(NULL, NULL, error));
    REFUSED("release", scrim_synth_draw(NULL, NULL, NULL, error));
    REFUSED("release", scrim_synth_report_new(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_synth_report_compare(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_synth_report_charge(NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_hierarchy_plan(NULL, NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("dataset",
            scrim_hierarchy_plan_design(NULL, NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("policy", scrim_hierarchy_plan_policy(NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_hierarchy_replay(NULL, 0, NULL, NULL, error));
    REFUSED("label", scrim_label_hierarchy(NULL, NULL, NULL, error));
    REFUSED("plan", scrim_hierarchy_expect(NULL, NULL, NULL, error));
    REFUSED("hierarchy", scrim_hierarchy_linear(NULL, 0, NULL, NULL, error));
    REFUSED("out", scrim_range_variance(NULL, 0, 0, NULL, error));
}

TEST(a_null_pointer_is_named_by_devices)
{
    REFUSED("config", scrim_collection_new(NULL, NULL, error));
    REFUSED("collection", scrim_collection_read(NULL, NULL, 0, error));
    REFUSED("collection", scrim_collection_add_message(NULL, NULL, 0, error));
    REFUSED("collection", scrim_collection_end_file(NULL, error));
    REFUSED("collection", scrim_collection_write(NULL, NULL, NULL, error));
    REFUSED("collection", scrim_collection_decode(NULL, NULL, NULL, error));
    REFUSED("config",
            scrim_local_candidates_decode(NULL, NULL, NULL, 0, NULL, NULL, error));
    REFUSED("collection", scrim_collection_candidates(NULL, NULL, 0, NULL, NULL, error));
    REFUSED("options", scrim_local_plan_find(NULL, NULL, error));
    REFUSED("config", scrim_local_unknown_search(NULL, NULL, 0, NULL, NULL, error));
    REFUSED("config",
            scrim_local_unknown_count(NULL, NULL, 0, NULL, 0, NULL, NULL, error));
}

TEST(a_null_pointer_is_named_by_questions)
{
    REFUSED("dataset", scrim_plan_new(NULL, NULL, NULL, 0, NULL, NULL, NULL, error));
    REFUSED("query", scrim_query_bind(NULL, NULL, 0, NULL, NULL, error));
    REFUSED("plan", scrim_plan_describe(NULL, NULL, NULL, error));
    REFUSED("plan", scrim_plan_statement_at(NULL, 0, NULL, error));
    REFUSED("plan", scrim_plan_output_at(NULL, 0, 0, NULL, error));
    REFUSED("plan", scrim_plan_part_at(NULL, 0, 0, NULL, error));
    REFUSED("plan", scrim_plan_other_at(NULL, 0, 0, NULL, error));
    REFUSED("plan", scrim_plan_choice_at(NULL, 0, 0, NULL, error));
    REFUSED("vault", scrim_query_run(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_query_replay(NULL, 0, NULL, NULL, error));
    REFUSED("vault", scrim_feed_begin(NULL, NULL, NULL, NULL, error));
    REFUSED("feed", scrim_feed_put(NULL, NULL, error));
    REFUSED("feed", scrim_feed_end(NULL, NULL, error));
    REFUSED("vault", scrim_vault_contents(NULL, NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_series_new(NULL, NULL, NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_series_enter(NULL, NULL, 0, error));
    REFUSED("vault", scrim_series_read(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_series_name_at(NULL, 0, NULL, error));
    REFUSED("series", scrim_series_step_at(NULL, 0, NULL, error));
    REFUSED("vault", scrim_series_forecast_of(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_series_plan(NULL, NULL, 0, NULL, error));
    REFUSED("vault", scrim_series_release(NULL, NULL, 0, NULL, NULL, error));
    REFUSED("vault", scrim_series_prepare(NULL, NULL, 0, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_suggestion_new(NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_suggestion_run(NULL, NULL, error));
    REFUSED("suggestion", scrim_suggestion_take(NULL, NULL, error));
    REFUSED("vault", scrim_vault_inspect(NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_risk(NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_bound_choices(NULL, NULL, NULL, NULL, error));
    REFUSED("policy", scrim_policy_bound_choices(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_mock(NULL, NULL, 0, NULL, NULL, error));
}

TEST(a_null_pointer_is_named_by_vaults)
{
    REFUSED("path", scrim_vault_init(NULL, NULL, error));
    REFUSED("path", scrim_vault_open(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_witness(NULL, NULL, error));
    REFUSED("vault", scrim_vault_add_dataset(NULL, NULL, NULL, error));
    REFUSED("policy", scrim_policy_check(NULL, error));
    REFUSED("policy", scrim_policy_check_rows(NULL, 0, error));
    REFUSED("policy", scrim_policy_columns(NULL, NULL, error));
    REFUSED("policy", scrim_policy_tables(NULL, NULL, error));
    REFUSED("table", scrim_public_table_lines(NULL, NULL, error));
    REFUSED("vault", scrim_vault_set_dataset(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_update_dataset(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_remove_dataset(NULL, NULL, error));
    REFUSED("vault", scrim_vault_dataset(NULL, 0, NULL, error));
    REFUSED("vault", scrim_vault_policy(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_share(NULL, NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_budget(NULL, 0, NULL, NULL, error));
    REFUSED("vault", scrim_vault_forecast(NULL, 0, 0, NULL, error));
    REFUSED("vault", scrim_vault_standing(NULL, 0, NULL, error));
    REFUSED("vault", scrim_vault_budget_of(NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_budgets(NULL, NULL, 0, NULL, NULL, error));
    REFUSED("vault", scrim_vault_refusals(NULL, NULL, error));
    REFUSED("vault", scrim_vault_analyst_at(NULL, 0, NULL, error));
    REFUSED("vault", scrim_vault_ledger(NULL, NULL, NULL, error));
    REFUSED("ledger", scrim_vault_note(NULL, NULL, error));
    REFUSED("ledger", scrim_vault_note_by(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_view(NULL, 0, error));
    REFUSED("vault", scrim_vault_replay(NULL, 0, NULL, error));
    REFUSED("release", scrim_vault_release_check(NULL, error));
    REFUSED("vault", scrim_vault_history(NULL, NULL, 0, NULL, NULL, error));
    REFUSED("vault", scrim_vault_shown_answers(NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_changes(NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_find(NULL, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_vault_visit(NULL, 0, NULL, NULL, error));
    REFUSED("vault", scrim_vault_count(NULL, NULL, error));
    REFUSED("vault", scrim_vault_key(NULL, NULL, error));
    REFUSED("vault", scrim_vault_head(NULL, 0, NULL, error));
    REFUSED("vault", scrim_vault_verify(NULL, NULL, error));
    REFUSED("path", scrim_vault_check(NULL, NULL, NULL, error));
    REFUSED("out", scrim_vault_check_export(NULL, 0, NULL, NULL, error));
    REFUSED("vault", scrim_label_new(NULL, 0, NULL, error));
    REFUSED("vault", scrim_label_new_at(NULL, 0, 0, NULL, error));
    REFUSED("label", scrim_label_again(NULL, NULL, NULL, error));
    REFUSED("out", scrim_label_find(NULL, 0, NULL, error));
    REFUSED("label", scrim_label_result(NULL, NULL, error));
    REFUSED("label", scrim_label_release(NULL, NULL, error));
    REFUSED("label", scrim_label_check(NULL, error));
    REFUSED("label", scrim_label_check_ledger(NULL, NULL, error));
    REFUSED("label", scrim_label_check_key(NULL, NULL, error));
    REFUSED("out", scrim_file_digest_new(NULL, error));
    REFUSED("vault", scrim_label_new_file(NULL, 0, NULL, NULL, NULL, error));
    REFUSED("vault", scrim_label_new_period(NULL, NULL, NULL, NULL, error));
    REFUSED("label", scrim_label_check_file(NULL, NULL, error));
    REFUSED("shown", scrim_label_find_end(NULL, 0, NULL, NULL, error));
    REFUSED("out", scrim_label_of_file(NULL, 0, NULL, 0, NULL, error));
    REFUSED("a", scrim_label_compare(NULL, NULL, error));
}

/* With all others, each by itself. */
TEST(a_null_pointer_behind_others_is_named)
{
    scrim_measurement *m = NULL;
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL;
    scrim_certificate certificate;
    const int64_t value = 1;
    const scrim_input input = {.integers = &value, .count = 1};
    static const char line[] = "laplace sensitivity=1 epsilon=1 neighbours=add-remove";
    REQUIRE_OK(scrim_measurement_parse(line, &m, NULL));
    REQUIRE_OK(
        scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                       .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1"),
                         &ledger, NULL));
    REFUSED("out", scrim_measurement_parse(line, NULL, error));
    REFUSED("confidence", scrim_measurement_certify(m, NULL, 1, &certificate, error));
    REFUSED("out", scrim_measurement_certify(m, "0.95", 1, NULL, error));
    REFUSED("ledger", scrim_release(NULL, m, &input, &answer, error));
    REFUSED("measurement", scrim_release(ledger, NULL, &input, &answer, error));
    REFUSED("input", scrim_release(ledger, m, NULL, &answer, error));
    REFUSED("out", scrim_release(ledger, m, &input, NULL, error));
    CHECK_INT(scrim_ledger_count(ledger), 0);
    CHECK_STATUS(scrim_release(NULL, m, &input, &answer, NULL), SCRIM_E_PARAM);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
}
