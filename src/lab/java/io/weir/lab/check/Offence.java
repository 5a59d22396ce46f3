package io.weir.lab.check;

/**
 * A record that broke a rule.
 *
 * @param reason in one line
 */
public record Offence(int partition, long offset, String reason) {}
