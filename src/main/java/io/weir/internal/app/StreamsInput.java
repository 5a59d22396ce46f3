package io.weir.internal.app;

import java.util.List;

/**
 * An input topic of an application on Kafka Streams, and the store of its tasks: each record
 * changes the store, in the same transaction.
 *
 * @param topic its name on the cluster, with as many partitions as sensors have
 * @param store the name of the heap store; the only one of that name in the topology
 * @param outputs topics whose partitions are each written only by the task of the same partition
 */
public record StreamsInput(String topic, String store, List<String> outputs) {
  public StreamsInput {
    outputs = List.copyOf(outputs);
  }

  /** An input whose tasks choose output partitions by key. */
  public StreamsInput(String topic, String store) {
    this(topic, store, List.of());
  }

  /** The changelog topic. */
  public String changelog(String applicationId) {
    return changelog(applicationId, store);
  }

  /** The changelog topic of a store of an application. */
  public static String changelog(String applicationId, String store) {
    return applicationId + "-" + store + "-changelog";
  }
}
