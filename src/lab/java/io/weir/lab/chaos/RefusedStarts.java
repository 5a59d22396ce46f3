package io.weir.lab.chaos;

import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Topics that are reconfigured, deleted or recreated under the applications: these have to end with
 * a failure, and to refuse every start from then on. Comes last of a run, since nothing repairs it.
 * One thread.
 */
final class RefusedStarts {
  private static final Duration WHILE_RUNNING = Duration.ofSeconds(30);
  private static final Duration AT_START = Duration.ofSeconds(60);
  private static final String CHANGELOG = Application.APPLICATION_ID + "-weir-state-changelog";
  private static final String READINGS = TopicNames.DEFAULT.readings();

  private final ChaosStage stage;
  private final FaultStats tally;

  RefusedStarts(ChaosStage stage, FaultStats tally) {
    this.stage = stage;
    this.tally = tally;
  }

  private interface Step {
    void take(Admin admin) throws ExecutionException, InterruptedException;
  }

  private record Ruin(String name, Step step, Optional<Step> repair) {}

  private static final List<Ruin> REPAIRABLE =
      List.of(
          configured(CHANGELOG, "cleanup.policy", "compact,delete", "compact"),
          configured(READINGS, "message.timestamp.type", "CreateTime", "LogAppendTime"));

  private static final List<Ruin> FINAL =
      List.of(
          new Ruin("readings recreated", admin -> recreate(admin, READINGS), Optional.empty()),
          new Ruin("changelog recreated", admin -> recreate(admin, CHANGELOG), Optional.empty()),
          new Ruin("changelog deleted", admin -> delete(admin, CHANGELOG), Optional.empty()),
          new Ruin(
              "readings with 128 partitions",
              admin ->
                  admin
                      .createPartitions(Map.of(READINGS, NewPartitions.increaseTo(128)))
                      .all()
                      .get(),
              Optional.empty()));

  /** Does what can be repaired, then one thing that cannot; returns what came of each, in words. */
  List<String> have(int which) {
    stage.standDown();
    List<String> lines = new ArrayList<>();
    List<Ruin> all = new ArrayList<>(REPAIRABLE);
    all.add(FINAL.get(which % FINAL.size()));
    for (Ruin ruin : all) {
      try {
        lines.add(ruin.name() + ": " + have(ruin));
        tally.done(FaultKind.REFUSAL);
      } catch (ExecutionException e) {
        tally.broken(ruin.name() + ": " + e.getCause().getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return lines;
      }
    }
    return lines;
  }

  private String have(Ruin ruin) throws ExecutionException, InterruptedException {
    Admin admin = stage.cluster().admin();
    Application application = stage.applications().get(0);
    application.start();
    application.awaitRunning(AT_START);
    ruin.step().take(admin);
    boolean endedByItself = application.awaitFailure(WHILE_RUNNING);
    application.stop();
    application.start();
    boolean refused = application.awaitFailure(AT_START);
    application.stop();
    if (!refused) {
      tally.broken(ruin.name() + ": the application starts all the same");
    }
    if (ruin.repair().isPresent()) {
      ruin.repair().get().take(admin);
    }
    return (endedByItself ? "ended while running" : "went on while running")
        + (refused ? ", refused the start" : ", started");
  }

  /** The changelog as it was when its records carried times of their own. */
  static void changelogOfCreateTime(Admin admin) {
    try {
      configure(admin, CHANGELOG, "message.timestamp.type", "CreateTime");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Ruin configured(String topic, String key, String ruined, String sound) {
    return new Ruin(
        topic + " with " + key + "=" + ruined,
        admin -> configure(admin, topic, key, ruined),
        Optional.of(admin -> configure(admin, topic, key, sound)));
  }

  private static void configure(Admin admin, String topic, String key, String value)
      throws ExecutionException, InterruptedException {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                Set.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }

  private static void delete(Admin admin, String topic)
      throws ExecutionException, InterruptedException {
    admin.deleteTopics(Set.of(topic)).all().get();
  }

  /** With the same partitions and settings that matter, and nothing in it. */
  private static void recreate(Admin admin, String topic)
      throws ExecutionException, InterruptedException {
    var partitions =
        admin.describeTopics(Set.of(topic)).allTopicNames().get().get(topic).partitions();
    delete(admin, topic);
    Map<String, String> configs =
        topic.equals(READINGS)
            ? Map.of("message.timestamp.type", "LogAppendTime", "retention.ms", "259200000")
            : Map.of("cleanup.policy", "compact");
    NewTopic again =
        new NewTopic(topic, partitions.size(), (short) partitions.get(0).replicas().size())
            .configs(configs);
    boolean made =
        Waiting.until(
            AT_START,
            () -> {
              try {
                admin.createTopics(Set.of(again)).all().get();
                return true;
              } catch (ExecutionException e) {
                return false; // It is still being deleted.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
              }
            });
    if (!made) {
      throw new IllegalStateException("topic " + topic + " cannot be recreated");
    }
  }
}
