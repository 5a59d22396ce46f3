package io.weir.dev.chaos;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A node of the cluster: its process, which comes and goes, and the network in front of it. */
final class BrokerNode implements AutoCloseable {
  private static final String HEAP = "384m";

  private final List<String> arguments;
  private final Path log;
  private final FlakyLink link;
  private ChildProcess process;

  /**
   * @param arguments of {@link ChaosBroker}
   */
  BrokerNode(List<String> arguments, Path log, FlakyLink link) {
    this.arguments = arguments;
    this.log = log;
    this.link = link;
  }

  synchronized void start() {
    process =
        ChildProcess.start(
            ChaosBroker.class.getName(),
            HEAP,
            arguments,
            Map.of("WEIR_LOG_LEVEL", "WARN", "WEIR_KAFKA_LOG_LEVEL", "WARN"),
            log,
            line -> {});
  }

  synchronized void kill() {
    process.kill();
  }

  /** Starts it again if it has ended; returns whether it had. */
  synchronized boolean startIfDead() {
    if (process.isAlive()) {
      return false;
    }
    start();
    return true;
  }

  FlakyLink link() {
    return link;
  }

  @Override
  public synchronized void close() {
    link.close();
    if (process != null) {
      process.close();
    }
  }
}
