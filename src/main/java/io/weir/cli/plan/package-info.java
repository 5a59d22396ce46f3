/**
 * The resources for a load, for {@code weir plan}. {@link io.weir.cli.plan.Plan} calculates them
 * from the input and measured figures; it contacts no cluster. Uses {@code input}, {@code topology}
 * and {@code window} for their sizes and times.
 */
package io.weir.cli.plan;
