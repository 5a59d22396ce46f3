/**
 * Encoders and decoders of protobuf messages and their frames. {@link
 * io.weir.internal.wire.BatchDecoder} decodes a batch into arrays. No Kafka client. Uses {@code
 * event} and {@code reading}.
 */
package io.weir.internal.wire;
