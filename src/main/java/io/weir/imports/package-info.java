/**
 * Maps records of topics that others write into the readings, each exactly once. Uses {@code text},
 * {@code wire}, {@code registry}, {@code topic} and {@code deadletter}.
 */
package io.weir.imports;
