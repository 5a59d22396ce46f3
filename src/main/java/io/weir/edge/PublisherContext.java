package io.weir.edge;

/**
 * What the parts of one publisher share.
 *
 * @param name in metrics, logs and threads
 * @param bootId of this start
 * @param queues of the partitions
 * @param limit of readings that are not acknowledged
 */
record PublisherContext(
    PublisherSettings settings,
    String name,
    long bootId,
    PartitionQueues<?> queues,
    QueueLimit limit,
    PublisherMetrics metrics,
    StatusBoard status,
    Ticker ticker) {

  String gatewayId() {
    return settings.gatewayId();
  }

  FailureLog newLog() {
    return new FailureLog(name);
  }
}
