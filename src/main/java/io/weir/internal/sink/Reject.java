package io.weir.internal.sink;

import io.weir.internal.sink.RejectedException.Reason;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record for weir_sink_rejects.
 *
 * @param generation generation of its topic
 */
record Reject(
    ConsumerRecord<byte[], byte[]> record, int generation, Reason reason, String message) {}
