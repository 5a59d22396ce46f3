/**
 * Maps records of topics that others write into the readings, each exactly once. Uses {@code text},
 * {@code wire}, {@code registry}, {@code time}, {@code topic}, {@code reading}, {@code signing},
 * {@code fetch}, {@code deadletter} and {@code app}.
 */
package io.weir.internal.imports;
