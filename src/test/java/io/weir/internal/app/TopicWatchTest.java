package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Await;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done to the topics of a running application. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class TopicWatchTest {
  private static final String READINGS = TopicNames.DEFAULT.readings();

  @TempDir private Path dir;
  private final List<String> findings = new ArrayList<>();
  private AppRig rig;
  private TopicWatch watch;

  @BeforeEach
  void startBroker() {
    rig = new AppRig(dir);
    rig.createTopics();
    watch =
        new TopicWatch(rig.config(), WeirApplication.plan(rig.config()), () -> {}, findings::add);
  }

  @AfterEach
  void stopBroker() {
    watch.close();
    rig.close();
  }

  @Test
  void topicsAsPlanned_areNoFinding_andTheChangelogMayComeLater() throws Exception {
    watch.start();
    createChangelog(Map.of("cleanup.policy", "compact"));
    watch.look();

    assertThat(findings).isEmpty();
  }

  @Test
  void changelogThatIsToDelete_isFound() throws Exception {
    createChangelog(Map.of("cleanup.policy", "compact"));
    watch.start();
    TopicConfigs.set(rig.admin(), AppRig.CHANGELOG, "cleanup.policy", "compact,delete");
    watch.look();

    assertThat(findings).singleElement().asString().contains("cleanup.policy=compact,delete");
  }

  @Test
  void readingsThatAreToBeCompacted_areFound() throws Exception {
    watch.start();
    TopicConfigs.set(rig.admin(), READINGS, "cleanup.policy", "compact");
    watch.look();

    assertThat(findings).singleElement().asString().contains(READINGS, "cleanup.policy=compact");
  }

  @Test
  void settingThatMerelyDiffers_isCounted_untilItIsMended() throws Exception {
    watch.start();
    TopicConfigs.set(rig.admin(), READINGS, "retention.ms", "1000");
    watch.look();
    assertThat(watch.warnings()).isEqualTo(1);

    TopicConfigs.set(rig.admin(), READINGS, "retention.ms", "259200000");
    watch.look();
    assertThat(watch.warnings()).isZero();
    assertThat(findings).isEmpty();
  }

  @Test
  void readingsThatAreMadeAgain_areFound() throws Exception {
    watch.start();
    delete(READINGS);
    watch.look();
    assertThat(findings).as("a second look first").isEmpty();
    rig.createTopics();
    watch.look();

    assertThat(findings).singleElement().asString().contains(READINGS, "was deleted and recreated");
  }

  @Test
  void windowsThatStayAway_areFound() throws Exception {
    watch.start();
    delete(TopicNames.DEFAULT.windows());
    watch.look();
    watch.look();

    assertThat(findings)
        .singleElement()
        .asString()
        .contains(TopicNames.DEFAULT.windows(), "was deleted", "weir topics");
  }

  /** The start asks the same. */
  @Test
  void changelogThatDeletes_refusesTheStart() throws Exception {
    createChangelog(Map.of("cleanup.policy", "delete"));

    assertThatThrownBy(() -> rig.start().close())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("cleanup.policy=delete, expected compact");
  }

  private void createChangelog(Map<String, String> config) throws Exception {
    rig.admin()
        .createTopics(List.of(new NewTopic(AppRig.CHANGELOG, 64, (short) 1).configs(config)))
        .all()
        .get();
    awaitTopic(AppRig.CHANGELOG, true);
  }

  private void delete(String topic) throws Exception {
    rig.admin().deleteTopics(Set.of(topic)).all().get();
    awaitTopic(topic, false);
  }

  private void awaitTopic(String topic, boolean there) throws Exception {
    Await.until(() -> rig.admin().listTopics().names().get().contains(topic) == there);
  }
}
