package io.weir.cli;

import io.weir.cli.doctor.DoctorVisit;
import io.weir.cli.output.Results;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.Keys;
import io.weir.internal.app.SinkKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.topic.Topic;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir doctor}: diagnoses the cluster and the processes. */
@Command(
    name = "doctor",
    description = "Diagnose the cluster and the processes: findings, reasons, actions.",
    footer = {
      "",
      "Checks topics, replicas, state, retention, consumer group, lag, transactions, dead",
      "letters, gateway ids, clocks, ACLs, quotas and versions for weir run and, if enabled,",
      "for weir events (--events true) and weir sink (--sink-jdbc-url). With --url, which may",
      "name processes of weir collect and weir edge too, also checks whether they answer, memory,",
      "late readings, gaps, limits, hot sensors, inputs, the database and the size of the changelog.",
      "Changes nothing. Prints the most severe finding first, each with its effect and an action. A",
      "NOTE is a counter that was raised before this check, perhaps more than an hour ago.",
      "Prints checks that failed to run on standard error.",
      "Exit status: 0 no finding (notes are allowed), 1 at least one finding.",
      "",
      "Examples:",
      "  weir doctor",
      "  weir doctor --bootstrap-servers kafka-0:9092 --url http://weir:8080",
      "  weir doctor --config /etc/weir/weir.properties --json"
    })
final class DoctorCommand extends ClusterCommand {
  private static final int COMMITS_AWAITED = 3;

  @Option(
      names = "--url",
      paramLabel = "URL",
      split = ",",
      description =
          "HTTP addresses of weir run, events, sink or collect; a name with several addresses"
              + " means all of them.")
  private List<String> urls = List.of();

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      description = "Time between the two samples (10s).")
  private Duration wait = Duration.ofSeconds(10);

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  DoctorCommand() {
    super(
        TopicKeys.with(
            List.of(
                Keys.BOOTSTRAP_SERVERS,
                Keys.APPLICATION_ID,
                WindowKeys.ROLLUPS,
                WindowKeys.HOPPING,
                EventKeys.STATUS,
                EventKeys.EVENTS,
                EventKeys.EVENTS_APPLICATION_ID,
                EventKeys.FOLD,
                EventKeys.GROUPS,
                SinkKeys.JDBC_URL,
                SinkKeys.TOPICS),
            Topic.values()));
  }

  @Override
  int run(WeirConfig config) {
    StopSignal stop = StopSignal.install(() -> {});
    try (Admin admin = Connections.admin(config.kafka())) {
      DoctorVisit visit =
          DoctorVisit.make(
              admin,
              config,
              () -> stop.await(wait(config)),
              () -> Connections.reader(config),
              urls);
      Results out = Results.standard();
      if (json) {
        out.line(visit.json());
      } else {
        visit.lines().forEach(out::line);
      }
      out.flush();
      visit.notLooked().forEach(what -> printError("not looked at: " + what));
      return visit.isWell() ? 0 : Failures.FAILED;
    }
  }

  /**
   * At least some commit intervals: records that are not committed between the two samples count as
   * unread.
   */
  private Duration wait(WeirConfig config) {
    long commitMs = config.kafka().commitIntervalMs();
    Duration commits = Duration.ofMillis(COMMITS_AWAITED * commitMs);
    return wait.compareTo(commits) < 0 ? commits : wait;
  }
}
