package io.weir.app;

import java.util.List;

/**
 * A topic that an application on Kafka Streams reads, and the store that holds what its tasks make
 * of it: each record changes the store, in the same transaction.
 *
 * @param topic its name on the cluster, with as many partitions as sensors have
 * @param store the name of the heap store; the only one of that name in the topology
 * @param outputs topics whose partitions are each written by the task of that partition alone
 */
public record StreamsInput(String topic, String store, List<String> outputs) {
  public StreamsInput {
    outputs = List.copyOf(outputs);
  }

  /** One that writes to partitions by keys. */
  public StreamsInput(String topic, String store) {
    this(topic, store, List.of());
  }

  /** The topic that holds the state. */
  public String changelog(String applicationId) {
    return changelog(applicationId, store);
  }

  /** The topic that Kafka Streams makes for a store of an application. */
  public static String changelog(String applicationId, String store) {
    return applicationId + "-" + store + "-changelog";
  }
}
