package io.weir.lab.chaos;

import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.lab.oracle.IdleMoment;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a run is to be.
 *
 * @param seed of the plan and of the readings: any
 * @param duration of the faults, at the most; what comes before and after is not counted
 * @param pauses factor of the pauses between two faults of a lane, between two transactions of the
 *     outbox and, up to 10, between two events of a source, 1 to 1000
 * @param faults how often each kind is had at the most; those that are absent are not had
 * @param brokers 1, or 3 for replicated topics
 * @param applications processes of {@code weir run}
 * @param gateways processes with a publisher
 * @param readingsPerSecond of all gateways together
 * @param sensors of all gateways together
 * @param session after which a silent application's partitions are given to others
 * @param standbys copies of the state that other applications keep up to date
 * @param applicationHeap the most the heap of each may have, as {@code -Xmx} takes it
 * @param ring slots of the ring that each partition's changes are written to, on topics whose
 *     segments are cleaned within seconds; 0 for what production has
 * @param events processes of {@code weir events}; 0 for no events at all
 * @param postgres whether there is a PostgreSQL, with {@code weir sink} and {@code weir collect}
 * @param imports whether there is another team's topic, with {@code weir import}
 * @param bug planted into the applications
 * @param before class path of the build before this one, which every second start of a service has;
 *     empty for one build
 * @param clockError how far the clock of every second process of a service is ahead, or behind if
 *     negative; the rest of the machine keeps its time
 */
public record ChaosSettings(
    long seed,
    Duration duration,
    int pauses,
    Map<FaultKind, Integer> faults,
    int brokers,
    int applications,
    int gateways,
    int readingsPerSecond,
    int sensors,
    Duration session,
    int standbys,
    String applicationHeap,
    int ring,
    int events,
    boolean postgres,
    boolean imports,
    PlantedBug bug,
    String before,
    Duration clockError) {
  private static final int MOST_GATEWAYS = 16;

  static final Duration WINDOW_SIZE = Duration.ofSeconds(2);
  static final Duration WINDOW_GRACE = Duration.ofSeconds(1);
  static final Duration LATENESS = Duration.ofSeconds(2);
  static final Duration IDLE_TIMEOUT = Duration.ofSeconds(3);
  static final Duration MAX_FUTURE_SKEW = Duration.ofMinutes(1);

  /** Of few windows each, so that many close in a run; sensors are known for longer. */
  static final List<Duration> ROLLUPS = List.of(Duration.ofSeconds(10), Duration.ofSeconds(20));

  /** The same as the setting has them. */
  static String rollups() {
    return ROLLUPS.stream().map(size -> size.toMillis() + "ms").collect(Collectors.joining(","));
  }

  /** Of five windows, one of them kept for late readings. */
  static final Duration HOPPING = Duration.ofSeconds(10);

  /**
   * Which sensors have which statistics. Of three gateways the sensors of one have every second
   * set, those of one none, which is the default, and those of one all.
   */
  private static Map<StatisticSet, List<String>> prefixes() {
    Map<StatisticSet, List<String>> prefixes = new EnumMap<>(StatisticSet.class);
    for (StatisticSet set : StatisticSet.values()) {
      prefixes.put(
          set,
          IntStream.range(0, MOST_GATEWAYS)
              .filter(gateway -> gateway % 3 == 2 || gateway % 3 == 0 && set.ordinal() % 2 == 0)
              .mapToObj(gateway -> "g" + gateway + "/")
              .toList());
    }
    return prefixes;
  }

  /** The same as settings. */
  static Map<String, String> statistics() {
    Map<String, String> settings = new TreeMap<>();
    prefixes()
        .forEach((set, ids) -> settings.put("statistics." + set.text(), String.join(",", ids)));
    settings.put(
        "statistics",
        prefixes().keySet().stream().map(StatisticSet::text).collect(Collectors.joining(",")));
    return settings;
  }

  /** Records decide: each emission is held to the record that caused it. */
  static final IdleMoment IDLE_MOMENT = IdleMoment.BY_RECORDS;

  public ChaosSettings {
    Map<FaultKind, Integer> copy = new EnumMap<>(FaultKind.class);
    copy.putAll(faults);
    faults = copy;
    if (copy.containsKey(FaultKind.RECYCLE) && applications > 1) {
      standbys = Math.max(1, standbys);
    }
    require(
        !faults.keySet().containsAll(Set.of(FaultKind.RESET, FaultKind.REFUSAL)),
        "faults reset,refusal: expected: one of both");
    require(pauses >= 1 && pauses <= 1_000, "pauses " + pauses + ": expected: 1 to 1000");
    require(brokers == 1 || brokers == 3, "brokers " + brokers + ": expected: 1 and 3");
    require(
        applications >= 1 && applications <= 8,
        "applications " + applications + ": expected: 1 to 8");
    require(
        gateways >= 1 && gateways <= MOST_GATEWAYS,
        "gateways " + gateways + ": expected: 1 to " + MOST_GATEWAYS);
    require(
        readingsPerSecond >= 20 * gateways,
        "rate " + readingsPerSecond + ": expected: 20 a gateway or more");
    require(sensors >= gateways, "sensors " + sensors + ": expected: 1 a gateway or more");
    require(
        applicationHeap.matches("[0-9]+[mg]"),
        "app-heap " + applicationHeap + ": expected: a size such as 320m or 2g");
    require(
        ring == 0 || ring >= 4 && ring <= 256,
        "ring " + ring + ": expected: 4 to 256, and 0 for what production has");
    require(events >= 0 && events <= 8, "events " + events + ": expected: 0 to 8");
    boolean ofEvents = copy.keySet().stream().anyMatch(FaultKind::isOfEvents) || bug.isOfEvents();
    require(events > 0 || !ofEvents, "events 0: expected: 1 or more with faults or bugs of events");
    boolean ofPostgres =
        copy.keySet().stream().anyMatch(FaultKind::isOfPostgres) || bug.isOfPostgres();
    require(
        postgres || !ofPostgres,
        "postgres is not there: needed with faults or bugs of weir sink and weir collect");
    boolean ofImports =
        copy.keySet().stream().anyMatch(FaultKind::isOfImports) || bug.isOfImports();
    require(
        imports || !ofImports, "import is not there: needed with faults or bugs of weir import");
    require(standbys < applications, "standbys " + standbys + ": expected: 0 up to the others");
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Three brokers, two applications, three gateways, and no faults yet. */
  public static Builder builder(long seed, Duration duration) {
    return new Builder(seed, duration);
  }

  /** Collects settings; each method is named like what it sets. For one thread. */
  public static final class Builder {
    private final long seed;
    private final Duration duration;
    private int pauses = 1;
    private Map<FaultKind, Integer> faults = Map.of();
    private int brokers = 3;
    private int applications = 2;
    private int gateways = 3;
    private int readingsPerSecond = 6_000;
    private int sensors = 1_500;
    private Duration session = Duration.ofSeconds(6);
    private int standbys;
    private String applicationHeap = "320m";
    private int ring;
    private int events;
    private boolean postgres;
    private boolean imports;
    private PlantedBug bug = PlantedBug.NONE;
    private String before = "";
    private Duration clockError = Duration.ZERO;

    private Builder(long seed, Duration duration) {
      this.seed = seed;
      this.duration = duration;
    }

    public Builder pauses(int factor) {
      pauses = factor;
      return this;
    }

    public Builder faults(Map<FaultKind, Integer> value) {
      faults = value;
      return this;
    }

    public Builder processes(int ofBrokers, int ofApplications, int ofGateways) {
      brokers = ofBrokers;
      applications = ofApplications;
      gateways = ofGateways;
      return this;
    }

    public Builder load(int perSecond, int ofSensors) {
      readingsPerSecond = perSecond;
      sensors = ofSensors;
      return this;
    }

    public Builder session(Duration value) {
      session = value;
      return this;
    }

    public Builder standbys(int value) {
      standbys = value;
      return this;
    }

    public Builder applicationHeap(String value) {
      applicationHeap = value;
      return this;
    }

    public Builder ring(int slots) {
      ring = slots;
      return this;
    }

    public Builder events(int processes) {
      events = processes;
      return this;
    }

    public Builder postgres(boolean value) {
      postgres = value;
      return this;
    }

    public Builder imports(boolean value) {
      imports = value;
      return this;
    }

    public Builder bug(PlantedBug value) {
      bug = value;
      return this;
    }

    public Builder before(String classPath) {
      before = classPath;
      return this;
    }

    public Builder clockError(Duration value) {
      clockError = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException where one is not allowed: one line that says which
     */
    public ChaosSettings build() {
      return new ChaosSettings(
          seed,
          duration,
          pauses,
          faults,
          brokers,
          applications,
          gateways,
          readingsPerSecond,
          sensors,
          session,
          standbys,
          applicationHeap,
          ring,
          events,
          postgres,
          imports,
          bug,
          before,
          clockError);
    }
  }

  /**
   * Whether all that writes events signs, and all that reads them requires it. A bug that changes
   * what was signed would be seen by its signature alone.
   */
  boolean isSigned() {
    return events > 1 && !bug.isOfApplications() && bug != PlantedBug.FOLD_WITHOUT_TIMES;
  }

  /**
   * Whether readings are signed too: of some runs, since all poison is refused as unsigned then.
   */
  boolean hasSignedReadings() {
    return isSigned() && seed % 2 == 0 && !faults.containsKey(FaultKind.HOSTILE);
  }

  MemorySettings remembrance() {
    return MemorySettings.of(faults.keySet());
  }

  WindowSpec windows() {
    List<Long> sizesMs = ROLLUPS.stream().map(Duration::toMillis).toList();
    long windowMs = WINDOW_SIZE.toMillis();
    return windows(remembrance())
        .with(RollupPlan.of(windowMs, sizesMs))
        .with(HoppingPlan.of(windowMs, HOPPING.toMillis(), List.of()));
  }

  private static WindowSpec windows(MemorySettings remembrance) {
    return WindowSpec.of(
            WINDOW_SIZE.toMillis(),
            WINDOW_GRACE.toMillis(),
            LATENESS.toMillis(),
            IDLE_TIMEOUT.toMillis(),
            WindowSpec.IdleRule.ENDED,
            remembrance.sensorTtl().toMillis())
        .withMarkTtlMs(remembrance.markTtl().toMillis())
        .with(new StatisticsPlan(prefixes()));
  }

  /** With sensors that are not forgotten, and without longer spans. */
  static WindowSpec longLived() {
    return windows(MemorySettings.of(Set.of()));
  }
}
