package io.weir.lab.bench;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.StreamsInput;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.Meters;
import io.weir.internal.ops.RunMetric;
import io.weir.internal.topology.WeirTopology;
import io.weir.lab.GroupLag;
import io.weir.lab.TemporaryDirectory;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;

/**
 * Weir as it is started for production, with its defaults: exactly once, state in a changelog, all
 * checks. A reading is done when the offset behind it is committed. What is set for Kafka's clients
 * in the environment (KAFKA_...) holds here as it does for {@code weir run}.
 */
final class WeirWork implements Work {
  /** What it says on standard output where a paced fleet waits for it. */
  static final String READY = "ready";

  private final Task task;
  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final WeirConfig config;
  private final Admin admin;
  private final GroupLag lag;
  private Collection<Counter> outcomes;
  private StreamsApplication application;
  private long warmReadings;
  private double warmChangelogBytes;

  WeirWork(Task task) {
    this.task = task;
    TopicNames names = RunTopics.of(task.run(), task.topic());
    this.config =
        WeirConfig.of(
            new Properties(),
            RunTopics.kafkaVariables(),
            RunTopics.options(task, names, directory.path()));
    this.admin = Admin.create(config.kafka().forAdmin());
    this.lag = new GroupLag(admin, config.applicationId(), task.topic());
    new TopicAdmin(admin, config.topics()).createMissing();
  }

  @Override
  public void start() {
    Meters meters = new Meters(registry);
    outcomes = registry.find(RunMetric.READINGS.meterName()).counters();
    application = WeirApplication.start(config, meters);
    if (task.perSecond() > 0) {
      RestoreWork.awaitAll(application);
      MeasuredProcess.say(READY);
    }
  }

  @Override
  public long processed() {
    if (application == null) {
      return 0;
    }
    application
        .ended()
        .getNow(java.util.Optional.empty())
        .ifPresent(
            reason -> {
              throw new IllegalStateException(reason);
            });
    double readings = 0;
    for (Counter outcome : outcomes) {
      readings += outcome.count();
    }
    return (long) readings;
  }

  @Override
  public boolean settled() {
    return lag.records() == 0;
  }

  @Override
  public void warmedUp() {
    warmReadings = processed();
    warmChangelogBytes = ChangelogSent.by(application.streams()).bytes();
  }

  @Override
  public Figures extras() {
    double aggregated =
        registry.get(RunMetric.READINGS.meterName()).tag("outcome", "aggregated").counter().count();
    if (aggregated != task.readings()) {
      throw new IllegalStateException(
          "of " + task.readings() + " readings Weir aggregated " + (long) aggregated);
    }
    ChangelogSent sent = ChangelogSent.by(application.streams());
    Figures figures =
        Figures.of(
            Map.of(
                Figure.CHANGELOG_BYTES_PER_READING,
                sent.bytes() / task.readings(),
                Figure.CHANGELOG_RECORDS,
                sent.records()));
    if (warmReadings < task.readings()) {
      figures =
          figures.with(
              Figure.CHANGELOG_WARM_BYTES_PER_READING,
              (sent.bytes() - warmChangelogBytes) / (task.readings() - warmReadings));
    }
    return task.keptWindows() == 0 ? figures : figures.with(changelogAsItStands());
  }

  private Figures changelogAsItStands() {
    String changelog = StreamsInput.changelog(config.applicationId(), WeirTopology.STORE);
    return Figures.of(
        Map.of(
            Figure.CHANGELOG_LIVE_BYTES,
            (double) ChangelogContent.liveBytes(task.bootstrapServers(), changelog),
            Figure.CHANGELOG_KEPT_BYTES,
            (double) Cluster.bytesOf(admin, changelog)));
  }

  @Override
  public void close() {
    try (directory;
        admin) {
      if (application != null) {
        application.close();
      }
    }
  }
}
