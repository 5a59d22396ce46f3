package io.weir.internal.collect;

/**
 * A batch with the content of all its sends.
 *
 * @param sequence number within its boot, topic and partition
 * @param value the encoded batch, without frame and signature; not to be changed
 */
record SentBatch(Channel channel, int partition, long bootId, long sequence, byte[] value) {}
