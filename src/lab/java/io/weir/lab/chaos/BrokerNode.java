package io.weir.lab.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node of the cluster: its process, which comes and goes, and the network in front of it. */
public final class BrokerNode implements AutoCloseable {
  private static final String HEAP = "384m";

  /**
   * How long a killed broker stays away, as operators should wait: one that is back within its
   * session of 9 s can end a transaction in both ways (KAFKA-5059).
   */
  static final Duration AWAY = Duration.ofSeconds(10);

  private final String clusterId;
  private final Path dir;
  private final List<String> settings;
  private final Path log;
  private final FlakyLink link;
  private ChildProcess process;
  private long clockErrorMs;
  private long killedNanos = System.nanoTime() - AWAY.toNanos();
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

  /** Starts it; one that was killed once {@link #AWAY} is over. */
  synchronized void start() {
    Waiting.until(AWAY.minusNanos(System.nanoTime() - killedNanos), () -> false);
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
    killedNanos = System.nanoTime();
  }

  /** No file of it grows any more; it ends by itself, as Kafka does then, or is killed. */
  public synchronized void fillDisk() {
    process.limitFiles();
    process.await();
    killedNanos = System.nanoTime();
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
      kill();
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
