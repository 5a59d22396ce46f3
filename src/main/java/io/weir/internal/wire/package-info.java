/**
 * Encoders and decoders of protobuf messages and their frames. Uses {@code event} and {@code
 * reading}, which it encodes; no Kafka client.
 */
package io.weir.internal.wire;
