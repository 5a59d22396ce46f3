/** Bytes to messages and back: protobuf, and the frames around it. */
package io.weir.wire;
