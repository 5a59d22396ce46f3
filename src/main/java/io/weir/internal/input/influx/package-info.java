/** InfluxDB's line protocol over HTTP, versions 1 and 2. Uses {@code reading} and {@code text}. */
package io.weir.internal.input.influx;
