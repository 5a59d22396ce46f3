package io.weir.cli.plan;

/**
 * A number of the plan.
 *
 * @param section under which it is shown
 * @param key its name in JSON
 * @param label its name for people
 * @param how the arithmetic, with the numbers
 */
public record PlanItem(
    String section, String key, String label, double value, PlanUnit unit, String how) {}
