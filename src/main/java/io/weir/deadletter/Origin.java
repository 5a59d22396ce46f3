package io.weir.deadletter;

/** Where a record was read. */
public record Origin(String topic, int partition, long offset) {}
