package io.weir.cli.plan;

/**
 * A number of the plan.
 *
 * @param section its section in the output
 * @param key its name in JSON
 * @param label its name in the output
 * @param how its arithmetic, with the numbers
 */
public record PlanItem(
    String section, String key, String label, double value, PlanUnit unit, String how) {}
