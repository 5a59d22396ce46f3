package io.weir.lab;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ProcessRole;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.LoggerFactory;

/**
 * A broker in this JVM, and a controller where it has that role too, put together as {@link
 * KafkaRaftServer} does it. A node that is the only one of its cluster has its {@link
 * StaleRegistration} removed between the start of its controller and that of its broker, which
 * {@link KafkaRaftServer} leaves no room for.
 */
final class CombinedNode {
  private final SharedServer shared;
  private final Optional<ControllerServer> controller;
  private final BrokerServer broker;
  private final int nodeId;
  private final boolean isOnlyNode;

  /**
   * @param config of a formatted directory
   * @param time what both know the time by
   */
  CombinedNode(KafkaConfig config, Time time) {
    var directories =
        KafkaRaftServer.initializeLogDirs(
            config, LoggerFactory.getLogger(CombinedNode.class), "node " + config.nodeId() + ": ");
    QuorumConfig quorum = config.quorumConfig();
    shared =
        new SharedServer(
            config,
            directories._1(),
            time,
            new Metrics(),
            CompletableFuture.completedFuture(QuorumConfig.parseVoterConnections(quorum.voters())),
            QuorumConfig.parseBootstrapServers(quorum.bootstrapServers()),
            new StandardFaultHandlerFactory(),
            ServerSocketFactory.INSTANCE);
    broker = new BrokerServer(shared);
    controller =
        config.processRoles().contains(ProcessRole.ControllerRole)
            ? Optional.of(
                new ControllerServer(shared, KafkaRaftServer.configSchema(), directories._2()))
            : Optional.empty();
    nodeId = config.nodeId();
    isOnlyNode = quorum.voters().size() == 1;
  }

  /** Starts both; returns when the broker takes clients. */
  void start() {
    controller.ifPresent(this::start);
    broker.startup();
  }

  private void start(ControllerServer own) {
    own.startup();
    if (isOnlyNode) {
      new StaleRegistration(nodeId, own.controller(), shared.loader()).remove();
    }
  }

  /** Stops both, the logs flushed; returns when they are stopped. */
  void stop() {
    broker.shutdown();
    controller.ifPresent(ControllerServer::shutdown);
    broker.awaitShutdown();
    controller.ifPresent(ControllerServer::awaitShutdown);
  }
}
