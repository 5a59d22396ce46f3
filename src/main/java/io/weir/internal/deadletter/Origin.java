package io.weir.internal.deadletter;

/** The position of a record. */
public record Origin(String topic, int partition, long offset) {}
