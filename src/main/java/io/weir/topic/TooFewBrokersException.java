package io.weir.topic;

import org.apache.kafka.common.KafkaException;

/** A topic was not created because the cluster has fewer brokers than the required replicas. */
public final class TooFewBrokersException extends KafkaException {
  private static final long serialVersionUID = 1L;

  TooFewBrokersException(String topic, Replication replication, int brokers) {
    super(
        "topic "
            + topic
            + " is to have "
            + replication.replicas()
            + " replicas ("
            + replication.reason()
            + "), but the cluster has "
            + brokers
            + (brokers == 1 ? " broker" : " brokers")
            + ", and fewer replicas are not made; start the missing brokers, or set "
            + Replication.SETTING
            + "="
            + brokers);
  }
}
