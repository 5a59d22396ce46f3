package io.weir.lab.chaos;

import io.weir.lab.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code weir run} in a process of its own, under one name however often it is started again. Safe
 * for many threads.
 */
class Application implements AutoCloseable {
  static final String APPLICATION_ID = "weir";
  static final String WEIR = "io.weir.cli.Weir";
  private static final String RUNNING = "RUNNING (was ";

  final int number;

  /** From start to start another number: tasks move between threads, and to other processes. */
  private static final int[] THREADS = {2, 3, 1};

  final ChaosSettings settings;
  final String bootstrapServers;
  final ChaosKeys keys;
  private final Path dir;
  private ChildProcess process;
  private boolean wanted;
  private String heap;
  private String applicationId = APPLICATION_ID;
  private long startedNanos;
  private int starts;
  private int launches;
  private int launchesBefore;
  private volatile long runningNanos;
  private volatile boolean running;

  Application(int number, ChaosSettings settings, String bootstrapServers, Path dir) {
    this.number = number;
    this.settings = settings;
    this.bootstrapServers = bootstrapServers;
    this.dir = dir;
    this.keys = new ChaosKeys(settings, dir);
    this.heap = settings.applicationHeap();
  }

  /** The most its heap may have from its next start on, as {@code -Xmx} takes it. */
  synchronized void heap(String size) {
    heap = size;
  }

  /** Its id from its next start on. */
  synchronized void applicationId(String id) {
    applicationId = id;
  }

  /** Its name in the group. */
  String instanceId() {
    return "app-" + number;
  }

  synchronized void start() {
    running = false;
    wanted = true;
    startedNanos = System.nanoTime();
    List<String> command = new ArrayList<>(command());
    options().forEach((key, value) -> command.add("--" + key + "=" + value));
    Map<String, String> environment = new HashMap<>(environment());
    if (number % 2 == 1 && isService(command)) {
      environment.putAll(WrongClock.ahead(settings.clockError()));
    }
    process =
        ChildProcess.start(
            command.get(0),
            options(command),
            command.subList(1, command.size()),
            environment,
            dir.resolve(instanceId() + ".log"),
            this::hear);
  }

  /** With the classes of the build before, each second time: so both run side by side. */
  private List<String> options(List<String> command) {
    boolean before =
        !settings.before().isEmpty() && isService(command) && (number + launches) % 2 == 0;
    launches++;
    if (!before) {
      return List.of("-Xmx" + heap);
    }
    launchesBefore++;
    return List.of("-Xmx" + heap, ChildProcess.CLASS_PATH, settings.before());
  }

  private static boolean isService(List<String> command) {
    return command.get(0).equals(WEIR);
  }

  /** Number of its starts with the classes of the build before. */
  synchronized int launchesBefore() {
    return launchesBefore;
  }

  /** The class that is run, and what comes before its options. */
  List<String> command() {
    return settings.bug().isOfApplications()
        ? List.of(SabotagedRun.class.getName(), settings.bug().name())
        : List.of(WEIR, "run");
  }

  Map<String, String> options() {
    return Map.ofEntries(
        Map.entry("bootstrap-servers", bootstrapServers),
        Map.entry("application-id", applicationId),
        Map.entry("instance-id", instanceId()),
        Map.entry("window-size", millis(ChaosSettings.WINDOW_SIZE)),
        Map.entry("window-grace", millis(ChaosSettings.WINDOW_GRACE)),
        Map.entry("allowed-lateness", millis(ChaosSettings.LATENESS)),
        Map.entry("idle-timeout", millis(ChaosSettings.IDLE_TIMEOUT)),
        Map.entry("rollups", ChaosSettings.rollups()),
        Map.entry("hopping", millis(ChaosSettings.HOPPING)),
        Map.entry("latest", "protobuf"),
        Map.entry("latest-of", "windows,rollups,hopping"),
        Map.entry("status", "true"),
        Map.entry("events", "true"),
        Map.entry("silent-after", millis(ChaosRules.SILENT_AFTER)),
        Map.entry("rules-file", ChaosRules.writeTo(dir).toString()),
        Map.entry("max-future-skew", millis(ChaosSettings.MAX_FUTURE_SKEW)),
        Map.entry("threads", Integer.toString(THREADS[starts++ % THREADS.length])),
        Map.entry("http-port", "0"),
        Map.entry("state-dir", stateDir().toString()));
  }

  Map<String, String> environment() {
    MemorySettings remembrance = settings.remembrance();
    String ring = settings.ring() == 0 ? "" : "-Dweir.ring.slots=" + settings.ring();
    Map<String, String> environment = new HashMap<>();
    ChaosSettings.statistics()
        .forEach(
            (key, value) ->
                environment.put("WEIR_" + key.toUpperCase(Locale.ROOT).replace('.', '_'), value));
    if (settings.ring() > 0) {
      environment.put("KAFKA_COMMIT_INTERVAL_MS", "100"); // Each commit takes a slot.
    }
    environment.putAll(
        Map.ofEntries(
            Map.entry("JAVA_TOOL_OPTIONS", ring),
            Map.entry("WEIR_KAFKA_LOG_LEVEL", "WARN"),
            Map.entry("KAFKA_SESSION_TIMEOUT_MS", Long.toString(settings.session().toMillis())),
            Map.entry("KAFKA_NUM_STANDBY_REPLICAS", Integer.toString(settings.standbys())),
            Map.entry("WEIR_SENSOR_TTL", millis(remembrance.sensorTtl())),
            Map.entry("WEIR_GATEWAY_TTL", millis(remembrance.gatewayTtl())),
            Map.entry("WEIR_MARK_TTL", millis(remembrance.markTtl())),
            Map.entry("WEIR_MAX_SENSORS", Integer.toString(remembrance.maxSensors())),
            Map.entry(
                "WEIR_MAX_SENSORS_PER_GATEWAY",
                Integer.toString(remembrance.maxSensorsPerGateway())),
            Map.entry("WEIR_MAX_BATCH_WINDOWS", Integer.toString(remembrance.maxBatchWindows())),
            Map.entry("WEIR_MAX_GATEWAYS", Integer.toString(remembrance.maxGateways()))));
    environment.putAll(keys.requiredOfReadings());
    return environment;
  }

  static String millis(Duration duration) {
    return duration.toMillis() + "ms";
  }

  final Path stateDir() {
    return dir.resolve(instanceId() + "-state");
  }

  /** Is called with each line that it says. */
  void hear(String line) {
    if (!running && line.contains(RUNNING)) {
      runningNanos = System.nanoTime();
      running = true;
    }
  }

  /** SIGKILL; not to be started by {@link #startIfDied}. */
  synchronized void kill() {
    wanted = false;
    process.kill();
  }

  /** SIGTERM, and waits for its end; not to be started by {@link #startIfDied}. */
  synchronized void stop() {
    wanted = false;
    process.stop();
  }

  synchronized void freeze() {
    process.freeze();
  }

  synchronized void thaw() {
    process.thaw();
  }

  /** As a supervisor would: starts it if it ended by itself; returns whether it had. */
  synchronized boolean startIfDied() {
    if (!wanted || process == null || process.isAlive()) {
      return false;
    }
    start();
    return true;
  }

  /** Deletes its local files. */
  void wipeState() {
    if (!Files.exists(stateDir())) {
      return;
    }
    TemporaryDirectory.delete(stateDir());
    try {
      Files.createDirectories(stateDir());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has its partitions for the first time since its start; whether it has. */
  boolean awaitRunning(Duration atMost) {
    return Waiting.until(atMost, () -> running);
  }

  /** Waits until it ends by itself; whether it did, and with a failure. */
  boolean awaitFailure(Duration atMost) {
    ChildProcess now;
    synchronized (this) {
      now = process;
    }
    return Waiting.until(atMost, () -> !now.isAlive()) && now.exitValue() != 0;
  }

  /** Waits until it ends by itself; whether it did, and well. */
  boolean awaitEnd(Duration atMost) {
    ChildProcess now;
    synchronized (this) {
      now = process;
    }
    return Waiting.until(atMost, () -> !now.isAlive()) && now.exitValue() == 0;
  }

  /** From its start until it had its partitions. */
  synchronized Duration startTook() {
    return Duration.ofNanos(runningNanos - startedNanos);
  }

  @Override
  public synchronized void close() {
    wanted = false;
    if (process != null) {
      process.close();
    }
  }
}
