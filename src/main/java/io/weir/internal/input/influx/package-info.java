/**
 * InfluxDB's line protocol over HTTP, versions 1 and 2. Start at {@link
 * io.weir.internal.input.influx.InfluxInput}. Uses {@code reading} and {@code text}.
 */
package io.weir.internal.input.influx;
