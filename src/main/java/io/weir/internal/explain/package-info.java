/**
 * {@code weir explain}: which batches a window was computed from, and whether it is right. It
 * recomputes the window from the topics with a naive model. Uses {@code app}, {@code deadletter},
 * {@code imports}, {@code json}, {@code reading}, {@code signing}, {@code time}, {@code topic},
 * {@code window} and {@code wire}.
 */
package io.weir.internal.explain;
