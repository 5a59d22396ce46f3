package io.weir.cli;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.internal.app.EventApplication;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.Keys;
import io.weir.internal.app.RegistryKeys;
import io.weir.internal.app.SigningKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.internal.ops.ApplicationMeters;
import io.weir.internal.ops.EventMeters;
import io.weir.internal.ops.ServiceProcess;
import io.weir.topic.Topic.User;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code weir events}: schedules events, folds them, and aggregates windows of groups. */
@Command(
    name = "events",
    subcommands = AnalyzeEventsCommand.class,
    description =
        "Write scheduled events when they are due, fold events, and aggregate groups of sensors,"
            + " until stopped.",
    footer = {
      "",
      "Events on weir.scheduled are written to weir.events when they are due, each exactly",
      "once. With --fold true the events of a key are merged into one event on weir.folded",
      "after --fold-quiet without a new event, or after --fold-max-hold.",
      "With --groups true the windows of a group's sensors, of length --groups-size, are merged",
      "into one on weir.groups after --groups-quiet without a change. --window-size, --rollups",
      "and --group must be equal to those of weir run.",
      "Needs the topics: weir topics --events true --fold true --groups true. Several processes",
      "share the partitions. Stops cleanly on SIGTERM and Ctrl-C.",
      "On --http-port: /livez, /readyz, /metrics, /info, also before Kafka answers.",
      "weir events analyze FILE calculates how many events folding would save.",
      "Exit status: 0 stopped by a signal, 1 failed, 2 a setting is wrong.",
      "",
      "Examples:",
      "  weir events --events true --fold true",
      "  weir events --events true --fold true --fold-quiet 2s --http-port 8081",
      "  weir events --events true --groups true --groups-size 10s --group {1}/{2}"
    })
final class EventsCommand implements Callable<Integer>, ConfigOptions.Configured {
  private final ConfigOptions configOptions =
      new ConfigOptions(
          TopicKeys.with(
              List.of(
                  Keys.BOOTSTRAP_SERVERS,
                  EventKeys.EVENTS,
                  EventKeys.EVENTS_APPLICATION_ID,
                  EventKeys.FOLD,
                  EventKeys.FOLD_QUIET,
                  EventKeys.FOLD_MAX_HOLD,
                  EventKeys.FOLD_MAX_FIELDS,
                  EventKeys.FOLD_MAX_BYTES,
                  EventKeys.TIMERS_MAX_BYTES,
                  EventKeys.GROUPS,
                  EventKeys.GROUPS_SIZE,
                  EventKeys.GROUPS_QUIET,
                  EventKeys.GROUPS_HOLD,
                  EventKeys.GROUPS_KEEP,
                  EventKeys.GROUPS_MAX_SENSORS,
                  EventKeys.GROUPS_MAX_BYTES,
                  EventKeys.GROUP,
                  SigningKeys.GATEWAYS_FILE,
                  WindowKeys.WINDOW_SIZE,
                  WindowKeys.ROLLUPS,
                  Keys.INSTANCE_ID,
                  RegistryKeys.SCHEMA_REGISTRY_URL,
                  WindowKeys.MAX_FUTURE_SKEW,
                  Keys.STATE_DIR,
                  Keys.THREADS,
                  Keys.HTTP_PORT,
                  Keys.HTTP_HOST,
                  Keys.LOG_FORMAT,
                  Keys.LOG_LEVEL),
              User.EVENTS));

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    WeirConfig config = configOptions.load();
    // An invalid entry stops the start before the first request to Kafka.
    config.signing().permissions();
    try (ServiceProcess process = ServiceProcess.open(config)) {
      StopSignal.install(process::stop);
      PrometheusMeterRegistry registry = process.registry();
      EventMeters meters = new EventMeters(registry);
      process.run(
          () -> EventApplication.start(config, meters),
          running -> new ApplicationMeters(running, registry));
      return 0;
    }
  }
}
