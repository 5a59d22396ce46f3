/**
 * {@code weir serve}: the page and its read-only API, over topics that it holds in memory. Uses
 * {@code app}, {@code deadletter}, {@code explain}, {@code fetch}, {@code json}, {@code ops},
 * {@code time}, {@code topic}, {@code wire} and {@code yaml}.
 */
package io.weir.internal.serve;
