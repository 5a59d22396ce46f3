package io.weir.app;

/**
 * A topic that an application on Kafka Streams reads, and the store that holds what its tasks make
 * of it: each record changes the store, in the same transaction.
 *
 * @param topic its name on the cluster, with as many partitions as sensors have
 * @param store the name of the heap store; the only one of that name in the topology
 */
public record StreamsInput(String topic, String store) {
  /** The topic that holds the state. */
  public String changelog(String applicationId) {
    return applicationId + "-" + store + "-changelog";
  }
}
