package io.weir.keyed;

import io.weir.internal.topology.OwnBatches;
import io.weir.internal.wire.EventBatchEncoder;
import io.weir.reading.Fnv1a;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The events that handlers send to keys of a topic: batches of the task's own gateway, each of one
 * event, in the partition of its key. A receiver counts each once. Called by the task's thread
 * only.
 */
final class SentEvents {
  private final String topic;
  private final int partitions;
  private final OwnBatches batches;
  private final EventBatchEncoder encoder = new EventBatchEncoder();

  SentEvents(String topic, int partitions, OwnBatches batches) {
    this.topic = topic;
    this.partitions = partitions;
    this.batches = batches;
  }

  /** To be called with each record; see {@link OwnBatches#begin}. */
  void begin(long recordMs) {
    batches.begin(recordMs);
  }

  /** The record of an event, with the next sequence of its partition. */
  Record<byte[], Emission> record(String key, byte[] event, long atMs) {
    int partition = Integer.remainderUnsigned(Fnv1a.hash(key), partitions);
    Headers headers = new RecordHeaders();
    encoder.add(event);
    byte[] value = batches.next(encoder, partition, headers);
    return new Record<>(null, new Emission(topic, partition, value), atMs, headers);
  }
}
