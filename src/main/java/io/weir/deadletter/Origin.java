package io.weir.deadletter;

/** The position of a record. */
public record Origin(String topic, int partition, long offset) {}
