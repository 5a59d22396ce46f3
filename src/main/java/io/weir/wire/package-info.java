/**
 * Bytes to messages and back: protobuf, and the frames around it. Uses what it encodes; no Kafka
 * client.
 */
package io.weir.wire;
