/**
 * {@code weir explain}: the batches of a window, and whether its summary is correct. {@link
 * io.weir.internal.explain.Explainer} reads the topics, recomputes the window with a naive model,
 * and compares the bits. Uses {@code app}, {@code deadletter}, {@code fetch}, {@code imports},
 * {@code json}, {@code reading}, {@code signing}, {@code time}, {@code topic}, {@code window} and
 * {@code wire}.
 */
package io.weir.internal.explain;
