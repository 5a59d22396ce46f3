/**
 * Bytes to messages and back: protobuf, and the frames around it. Uses {@code event}, {@code
 * reading} and {@code window}, which it encodes; no Kafka client.
 */
package io.weir.wire;
