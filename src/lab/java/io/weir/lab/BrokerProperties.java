package io.weir.lab;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** Settings of a single node that starts fast, stops fast and is small. */
final class BrokerProperties {
  private static final String VOTERS = "controller.quorum.voters";

  /**
   * Of the only node of a cluster. No other could lead its partitions: they would be without a
   * leader, and transactions that are ended meanwhile without their markers.
   */
  private static final Map<String, String> ONLY_NODE =
      Map.of(
          // A controller that gets no heartbeat of its broker for so long takes its partitions
          // away.
          "broker.session.timeout.ms", "86400000",
          // A broker that stops hands them over.
          "controlled.shutdown.enable", "false");

  private BrokerProperties() {}

  static Properties of(
      String host, int port, int controllerPort, Path dataDir, Map<String, String> overrides) {
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "process.roles",
            "broker,controller",
            "node.id",
            "1",
            VOTERS,
            "1@" + host + ":" + controllerPort,
            "controller.listener.names",
            "CONTROLLER",
            "inter.broker.listener.name",
            "CLIENTS",
            "listener.security.protocol.map",
            "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "listeners",
            "CLIENTS://" + host + ":" + port + ",CONTROLLER://" + host + ":" + controllerPort,
            "advertised.listeners",
            "CLIENTS://" + host + ":" + port,
            "log.dirs",
            dataDir.toString(),
            "auto.create.topics.enable",
            "false"));
    properties.putAll(
        Map.of(
            "default.replication.factor", "1",
            "min.insync.replicas", "1",
            "offsets.topic.replication.factor", "1",
            "offsets.topic.num.partitions", "4",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1",
            "transaction.state.log.num.partitions", "4",
            "share.coordinator.state.topic.replication.factor", "1",
            "share.coordinator.state.topic.min.isr", "1",
            "share.coordinator.state.topic.num.partitions", "4"));
    properties.putAll(
        Map.of(
            "group.initial.rebalance.delay.ms", "0",
            "group.min.session.timeout.ms", "1000",
            // An application that died leaves a transaction open; readers wait for its end.
            "transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000",
            "num.network.threads", "2",
            "num.io.threads", "4",
            // The default takes 128 MiB of this JVM's heap.
            "log.cleaner.dedupe.buffer.size", "8388608",
            "log.index.size.max.bytes", "1048576"));
    properties.putAll(overrides);
    if (!properties.getProperty(VOTERS).contains(",")) {
      ONLY_NODE.forEach(properties::putIfAbsent);
    }
    return properties;
  }
}
