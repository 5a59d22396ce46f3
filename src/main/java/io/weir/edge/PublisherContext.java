package io.weir.edge;

/**
 * The shared objects of one publisher.
 *
 * @param name in metrics, logs and threads
 * @param bootId of this start
 * @param queues of the partitions
 * @param limit limit of unacknowledged readings
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
