/**
 * {@code weir serve}: the page and its read-only API. {@link io.weir.internal.serve.TopicReader}
 * reads the topics into memory; {@link io.weir.internal.serve.ServeSite} answers requests from it.
 * Uses {@code app}, {@code deadletter}, {@code explain}, {@code fetch}, {@code input}, {@code
 * json}, {@code ops}, {@code postgres}, {@code sink}, {@code time}, {@code topic}, {@code wire} and
 * {@code yaml}.
 */
package io.weir.internal.serve;
