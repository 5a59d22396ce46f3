package io.weir.internal.hot;

/**
 * A sensor or gateway and its readings in one minute.
 *
 * @param id id of the sensor or the gateway
 */
public record HeavyHitter(String id, long readings) {}
