package io.weir.lab.chaos;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A gateway's process, which comes and goes, and its ledger, which stays. Safe for many threads.
 */
final class Gateway implements AutoCloseable {
  private static final String HEAP = "96m";
  private static final String ACKNOWLEDGED = "acknowledged ";
  private static final String LATENCY = "latency ";

  private final GatewayTask task;
  private final Map<String, String> environment;
  private final Path log;
  private ChildProcess process;
  private long acknowledgedBefore;
  private boolean silent;
  private final List<Long> latenciesMs = new CopyOnWriteArrayList<>();
  private volatile long acknowledged;
  private volatile boolean atWork;
  private volatile boolean done;

  /**
   * @param keys variables with the keys of a run whose readings are signed
   */
  Gateway(GatewayTask task, Map<String, String> keys, Path log) {
    this.task = task;
    this.environment = new HashMap<>(keys);
    environment.put("WEIR_LOG_LEVEL", "WARN");
    environment.put("WEIR_KAFKA_LOG_LEVEL", "ERROR");
    this.log = log;
  }

  String id() {
    return task.gatewayId();
  }

  Path ledger() {
    return task.ledger();
  }

  synchronized void start(GatewayLife life) {
    acknowledgedBefore += acknowledged;
    acknowledged = 0;
    atWork = false;
    GatewayTask next =
        new GatewayTask(
            task.number(),
            life,
            task.bootstrapServers(),
            task.topic(),
            task.ledger(),
            task.seed(),
            task.sensors(),
            task.perSecond(),
            task.wedges());
    process =
        ChildProcess.start(
            ChaosGateway.class.getName(), HEAP, next.toArguments(), environment, log, this::hear);
    if (silent) {
      process.say("silence");
    }
  }

  /** Makes it silent, also after a restart, or makes it send again. */
  synchronized void silence(boolean wanted) {
    silent = wanted;
    process.say(wanted ? "silence" : "speak");
  }

  /** Forgets how long acknowledgements took. */
  void forgetLatencies() {
    latenciesMs.clear();
  }

  /** Medians of half seconds, in milliseconds, since the last call of forgetLatencies. */
  List<Long> latenciesMs() {
    return List.copyOf(latenciesMs);
  }

  private void hear(String line) {
    if (line.startsWith(ACKNOWLEDGED)) {
      acknowledged = Long.parseLong(line.substring(ACKNOWLEDGED.length()));
      atWork = acknowledged > 0;
    } else if (line.startsWith(LATENCY) && !line.endsWith("-1")) {
      latenciesMs.add(Long.parseLong(line.substring(LATENCY.length())));
    } else if (line.equals("done")) {
      done = true;
    }
  }

  /** SIGKILL. */
  synchronized void kill() {
    process.kill();
  }

  /** Starts it if it ended by itself; returns whether it had. */
  synchronized boolean startIfDied(GatewayLife life) {
    if (process.isAlive() || done) {
      return false;
    }
    start(life);
    return true;
  }

  /** Whether the brokers have acknowledged something of it since its start. */
  boolean isAtWork() {
    return atWork;
  }

  /** Says a command to it. */
  synchronized void say(String command) {
    process.say(command);
  }

  /** Whether it stopped, and all that it took is acknowledged. */
  boolean isDone() {
    return done;
  }

  /** Readings that were acknowledged, about: what was not said before a kill is not among them. */
  synchronized long acknowledged() {
    return acknowledgedBefore + acknowledged;
  }

  @Override
  public synchronized void close() {
    if (process != null) {
      process.close();
    }
  }
}
