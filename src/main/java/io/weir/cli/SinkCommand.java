package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.Keys;
import io.weir.internal.app.SinkKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.internal.ops.ServiceProcess;
import io.weir.internal.ops.SinkMeters;
import io.weir.internal.sink.RejectReplay;
import io.weir.internal.sink.Sink;
import io.weir.internal.sink.SinkSchema;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir sink}: writes topics to tables of PostgreSQL. */
@Command(
    name = "sink",
    description = "Write windows, rollups and more to PostgreSQL, each exactly once.",
    footer = {
      "",
      "First create the tables, once, as the role that will own them: weir sink --init. Several",
      "processes share the partitions. On --http-port: /livez, /readyz, /metrics, /info. The",
      "sink waits for a database or a Kafka that does not answer; it exits if a privilege,",
      "table or setting is missing. Keep the password in a file that",
      "WEIR_SINK_JDBC_PASSWORD_FILE names.",
      "Exit status: 0 stopped by a signal, 1 failed, 2 a setting is wrong.",
      "",
      "Examples:",
      "  weir sink --init --sink-jdbc-url jdbc:postgresql://localhost/weir --sink-jdbc-user weir",
      "  weir sink --sink-jdbc-url jdbc:postgresql://localhost/weir --sink-jdbc-user weir",
      "  weir sink --print-schema | psql weir"
    })
final class SinkCommand implements Callable<Integer>, ConfigOptions.Configured {
  private final ConfigOptions configOptions =
      new ConfigOptions(
          TopicKeys.with(
              List.of(
                  Keys.BOOTSTRAP_SERVERS,
                  Keys.APPLICATION_ID,
                  Keys.INSTANCE_ID,
                  SinkKeys.JDBC_URL,
                  SinkKeys.JDBC_USER,
                  SinkKeys.TOPICS,
                  SinkKeys.BATCH_ROWS,
                  SinkKeys.FLUSH_INTERVAL,
                  SinkKeys.RETENTION,
                  SinkKeys.REJECTS_RETENTION,
                  WindowKeys.ROLLUPS,
                  WindowKeys.HOPPING,
                  EventKeys.EVENTS,
                  EventKeys.FOLD,
                  EventKeys.GROUPS,
                  EventKeys.STATUS,
                  Keys.HTTP_PORT,
                  Keys.HTTP_HOST,
                  Keys.LOG_FORMAT,
                  Keys.LOG_LEVEL,
                  TopicKeys.name(Topic.READINGS),
                  TopicKeys.name(Topic.LATE),
                  TopicKeys.name(Topic.DEAD_LETTERS)),
              User.SINK));

  @Option(names = "--init", description = "Create the missing tables and exit.")
  private boolean init;

  @Option(names = "--print-schema", description = "Print the SQL of the tables and exit.")
  private boolean printSchema;

  @Option(
      names = "--replay-rejects",
      description = "Write the records of weir_sink_rejects again, after a repair, and exit.")
  private boolean replayRejects;

  @Option(
      names = "--skip-lost",
      description = "Continue after records were deleted from a topic before they were written.")
  private boolean skipLost;

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    if (printSchema) {
      Results out = Results.standard();
      SinkSchema.text().lines().forEach(out::line);
      out.flush();
      return 0;
    }
    WeirConfig config = configOptions.load();
    if (init) {
      Results out = Results.standard();
      SinkSchema.init(config.sink())
          .forEach(file -> out.line(file.file() + "\t" + (file.now() ? "applied" : "ok")));
      out.flush();
      return 0;
    }
    config.sink().requiredUrl();
    if (replayRejects) {
      RejectReplay.Result result = RejectReplay.run(config);
      Results out = Results.standard();
      out.line("written\t" + result.written());
      out.line("refused\t" + result.refused());
      out.flush();
      return 0;
    }
    try (ServiceProcess process = ServiceProcess.open(config)) {
      StopSignal.install(process::stop);
      process.run(
          () -> Sink.start(config, skipLost),
          sink -> new SinkMeters(sink, config.sink().topics(), process.registry()));
      return 0;
    }
  }
}
