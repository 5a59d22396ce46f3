package io.weir.lab.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node of the cluster: its process, which comes and goes, and the network in front of it. */
public final class BrokerNode implements AutoCloseable {
  private static final String HEAP = "384m";

  private final String clusterId;
  private final Path dir;
  private final List<String> settings;
  private final Path log;
  private final FlakyLink link;
  private ChildProcess process;
  private long clockErrorMs;
  private long mostAheadMs;

  /**
   * @param settings as {@code name=value}
   */
  BrokerNode(String clusterId, Path dir, List<String> settings, Path log, FlakyLink link) {
    this.clusterId = clusterId;
    this.dir = dir;
    this.settings = settings;
    this.log = log;
    this.link = link;
  }

  synchronized void start() {
    List<String> arguments = new ArrayList<>();
    arguments.add(clusterId);
    arguments.add(dir.toString());
    arguments.add(Long.toString(clockErrorMs));
    arguments.addAll(settings);
    process =
        ChildProcess.start(
            ChaosBroker.class.getName(),
            HEAP,
            arguments,
            Map.of("WEIR_LOG_LEVEL", "WARN", "WEIR_KAFKA_LOG_LEVEL", "WARN"),
            log,
            line -> {});
  }

  /** kill -9. */
  public synchronized void kill() {
    process.kill();
  }

  /**
   * Sets how far its clock is ahead, after a restart too; below 0 for behind. A broker whose clock
   * is set back is killed and started: its clients to other brokers keep the time of their last
   * attempt to connect, and until the clock has passed it again they would not try.
   */
  public synchronized void clock(long errorMs) {
    boolean back = errorMs < clockErrorMs;
    clockErrorMs = errorMs;
    mostAheadMs = Math.max(mostAheadMs, errorMs);
    if (back && process.isAlive()) {
      process.kill();
      start();
    } else {
      process.say("clock " + errorMs);
    }
  }

  /** How far its clock was ahead at the most; 0 or more. */
  synchronized long mostAheadMs() {
    return mostAheadMs;
  }

  /** Starts it again if it has ended; returns whether it had. */
  public synchronized boolean startIfDead() {
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
