package io.weir.lab.chaos;

import io.weir.lab.oracle.NaiveEventRules;
import io.weir.lab.oracle.NaiveRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code weir events} in a process of its own. Safe for many threads. */
final class EventsApplication extends Application {
  static final String EVENTS_APPLICATION_ID = "weir-events";
  private static final Duration FOLD_QUIET = Duration.ofSeconds(1);
  private static final Duration FOLD_MAX_HOLD = Duration.ofSeconds(5);
  private static final int FOLD_MAX_FIELDS = 12;

  /** The sensors of a group are those of one number, of all gateways. */
  private static final int GROUP_PART = 2;

  private static final Duration GROUPS_QUIET = Duration.ofSeconds(1);
  private static final Duration GROUPS_HOLD = Duration.ofSeconds(4);
  private static final Duration GROUPS_KEEP = Duration.ofSeconds(20);

  EventsApplication(int number, ChaosSettings settings, String bootstrapServers, Path dir) {
    super(number, settings, bootstrapServers, dir);
  }

  /** The same for the oracle. */
  static NaiveEventRules rules(ChaosSettings settings) {
    return new NaiveEventRules(
        FOLD_QUIET.toMillis(),
        FOLD_MAX_HOLD.toMillis(),
        FOLD_MAX_FIELDS,
        ChaosSettings.WINDOW_SIZE.toMillis(),
        GROUP_PART,
        GROUPS_QUIET.toMillis(),
        GROUPS_HOLD.toMillis(),
        GROUPS_KEEP.toMillis(),
        NaiveRules.of(ChaosSettings.MAX_FUTURE_SKEW.toMillis()).withSignatures(settings.isSigned()),
        settings.faults().keySet().stream()
            .noneMatch(kind -> kind.lane() == FaultKind.Lane.CLOCKS));
  }

  @Override
  String instanceId() {
    return "events-" + number;
  }

  @Override
  List<String> command() {
    return settings.bug().isOfEventClients()
        ? List.of(SabotagedEvents.class.getName(), settings.bug().name())
        : List.of(WEIR, "events");
  }

  @Override
  Map<String, String> options() {
    return Map.ofEntries(
        Map.entry("bootstrap-servers", bootstrapServers),
        Map.entry("events", "true"),
        Map.entry("events-application-id", EVENTS_APPLICATION_ID),
        Map.entry("instance-id", instanceId()),
        Map.entry("fold", "true"),
        Map.entry("fold-quiet", millis(FOLD_QUIET)),
        Map.entry("fold-max-hold", millis(FOLD_MAX_HOLD)),
        Map.entry("fold-max-fields", Integer.toString(FOLD_MAX_FIELDS)),
        Map.entry("groups", "true"),
        Map.entry("groups-size", millis(ChaosSettings.WINDOW_SIZE)),
        Map.entry("groups-quiet", millis(GROUPS_QUIET)),
        Map.entry("groups-hold", millis(GROUPS_HOLD)),
        Map.entry("groups-keep", millis(GROUPS_KEEP)),
        Map.entry("group", "{" + GROUP_PART + "}"),
        Map.entry("window-size", millis(ChaosSettings.WINDOW_SIZE)),
        Map.entry("rollups", ChaosSettings.rollups()),
        Map.entry("max-future-skew", millis(ChaosSettings.MAX_FUTURE_SKEW)),
        Map.entry("threads", "2"),
        Map.entry("http-port", "0"),
        Map.entry("state-dir", stateDir().toString()));
  }

  /** What is remembered of gateways and groups is remembered for longer than a run takes. */
  @Override
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(keys.required());
    environment.put("WEIR_KAFKA_LOG_LEVEL", "WARN");
    environment.put("KAFKA_SESSION_TIMEOUT_MS", Long.toString(settings.session().toMillis()));
    environment.put(
        "KAFKA_NUM_STANDBY_REPLICAS",
        Integer.toString(settings.events() > 1 ? settings.standbys() : 0));
    return environment;
  }
}
