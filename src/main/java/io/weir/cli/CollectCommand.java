package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.CollectKeys;
import io.weir.internal.app.EdgeKeys;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.Keys;
import io.weir.internal.app.SigningKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.collect.CollectSchema;
import io.weir.internal.collect.Collector;
import io.weir.internal.collect.Rebase;
import io.weir.internal.ops.CollectMeters;
import io.weir.internal.ops.ServiceProcess;
import io.weir.topic.Topic.User;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir collect}: sends rows of PostgreSQL to Kafka. */
@Command(
    name = "collect",
    description = "Send the rows of an outbox in PostgreSQL to Kafka, each exactly once.",
    footer = {
      "",
      "First create the tables, once, as the role that will own them: weir collect --init. Rows",
      "that applications insert into weir_outbox are sent as readings or events. One process",
      "collects, the others stand by. On --http-port: /livez, /readyz, /metrics, /info. The",
      "collector waits for a database or a Kafka that does not answer; it exits if a privilege,",
      "table or setting is missing. Keep the password in a file that",
      "WEIR_COLLECT_JDBC_PASSWORD_FILE names.",
      "Exit status: 0 stopped by a signal, 1 failed, 2 a setting is wrong.",
      "",
      "Examples:",
      "  weir collect --init --collect-jdbc-url jdbc:postgresql://localhost/plant",
      "  weir collect --gateway-id plant-db --collect-jdbc-url jdbc:postgresql://localhost/plant",
      "  weir collect --print-schema | psql plant"
    })
final class CollectCommand implements Callable<Integer>, ConfigOptions.Configured {
  private final ConfigOptions configOptions =
      new ConfigOptions(
          TopicKeys.with(
              List.of(
                  Keys.BOOTSTRAP_SERVERS,
                  EdgeKeys.GATEWAY_ID,
                  CollectKeys.JDBC_URL,
                  CollectKeys.JDBC_USER,
                  CollectKeys.BATCH_LIMIT,
                  CollectKeys.BATCH_TIMEOUT,
                  CollectKeys.POLL_INTERVAL,
                  CollectKeys.HEALTHCHECK_INTERVAL,
                  CollectKeys.MAX_RATE,
                  CollectKeys.BURST,
                  CollectKeys.ADAPTIVE,
                  CollectKeys.TARGET_LATENCY,
                  CollectKeys.DELETE,
                  CollectKeys.REJECTS_RETENTION,
                  EventKeys.EVENTS,
                  SigningKeys.KEY_FILE,
                  Keys.HTTP_PORT,
                  Keys.HTTP_HOST,
                  Keys.LOG_FORMAT,
                  Keys.LOG_LEVEL),
              User.GATEWAY,
              User.PUBLISHER));

  @Option(names = "--init", description = "Create the missing tables and exit.")
  private boolean init;

  @Option(
      names = "--notify",
      description =
          "With --init or --print-schema: add the trigger that wakes the collector at each insert.")
  private boolean notify;

  @Option(names = "--print-schema", description = "Print the SQL of the tables and exit.")
  private boolean printSchema;

  @Option(
      names = "--rebase",
      description =
          "After a restore, a promotion or a copy of the database: find the rows that are on the"
              + " topics, delete them from the outbox, and start with a new boot id.")
  private boolean rebase;

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    if (printSchema) {
      Results out = Results.standard();
      CollectSchema.text(notify).lines().forEach(out::line);
      out.flush();
      return 0;
    }
    WeirConfig config = configOptions.load();
    if (init) {
      return init(config);
    }
    config.collect().requiredUrl();
    if (rebase) {
      return rebase(config);
    }
    try (ServiceProcess process = ServiceProcess.open(config)) {
      StopSignal.install(process::stop);
      process.run(
          () -> Collector.start(config),
          collector -> new CollectMeters(collector, process.registry()));
      return 0;
    }
  }

  private int init(WeirConfig config) {
    Results out = Results.standard();
    CollectSchema.init(config.collect(), notify)
        .forEach(file -> out.line(file.file() + "\t" + (file.now() ? "applied" : "ok")));
    if (notify) {
      out.line("notify.sql\tapplied");
    }
    out.flush();
    return 0;
  }

  private static int rebase(WeirConfig config) {
    Rebase.Report report = Rebase.run(config);
    Results out = Results.standard();
    out.line(
        "in flight: %d batches, %d of them to send again; sent later: %d rows, %d of them deleted from weir_outbox; boot id %d"
            .formatted(
                report.inFlight(),
                report.unsent(),
                report.later(),
                report.taken(),
                report.bootId()));
    out.flush();
    return 0;
  }
}
