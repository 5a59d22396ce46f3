/**
 * Bytes to messages and back: protobuf, and the frames around it. Uses {@code event} and
 * {@code reading}, which it encodes; no Kafka client.
 */
package io.weir.wire;
