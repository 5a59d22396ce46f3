package io.weir.internal.input.sparkplug;

/**
 * The birth or death of an edge node or device.
 *
 * @param type sparkplug.birth or sparkplug.death
 * @param key group and edge node
 * @param device empty for the edge node itself
 * @param bdSeq of the edge node; -1 if it is not known
 * @param cause the type of the message
 */
public record NodeEvent(
    String type, String key, String device, long bdSeq, String cause, long timestampMs) {}
