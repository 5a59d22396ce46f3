package io.weir.internal.serve.memory;

import io.weir.topic.Topic;

/**
 * A record of a sensor or group.
 *
 * @param topic one of the topics that are kept in the ring
 * @param appendMs append time, milliseconds since the Unix epoch
 * @param value the bare message
 */
public record Stored(Topic topic, int partition, long offset, long appendMs, byte[] value) {}
