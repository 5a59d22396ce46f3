package io.weir.lab.check;

import java.time.Duration;

/**
 * What a check does and when it ends.
 *
 * @param port where gateways find the broker; 0 for any that is free
 * @param atMost when it ends at the latest
 * @param records after how many it ends, the outages being over; 0 for no such end
 * @param outages how often the broker is stopped and started
 * @param outageLength for how long it is unreachable each time
 */
public record CheckPlan(
    int port, Duration atMost, long records, int outages, Duration outageLength) {}
