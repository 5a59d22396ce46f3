/**
 * The common part of all inputs of {@code weir edge}: clients, sensor ids, repeats and limits.
 * {@link io.weir.internal.input.Intake} passes readings to the publisher and waits until they are
 * on disk. No HTTP. Uses {@code edge}, {@code reading}, {@code text}, {@code topic} and {@code
 * yaml}.
 */
package io.weir.internal.input;
