package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.edge.Compression;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeersTest {
  @TempDir private Path dir;

  /** Their classes run in front of Weir's. */
  @ParameterizedTest
  @ValueSource(strings = {"protobuf.version", "slf4j.version", "logback.version"})
  void pomOfPeers_hasWeirsVersions(String property) throws IOException {
    assertThat(property("src/peers/pom.xml", property)).isEqualTo(property("pom.xml", property));
  }

  /** The jar of a build leaves out the bench, and what is compiled against it fails. */
  @Test
  void pomOfPeers_takesTheClassesOfThisWeir() throws IOException {
    assertThat(Files.readString(Path.of("src/peers/pom.xml")))
        .contains("${weir.home}/target/classes")
        .doesNotContain("target/weir-");
  }

  private static String property(String pom, String name) throws IOException {
    Matcher property =
        Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)<")
            .matcher(Files.readString(Path.of(pom)));
    assertThat(property.find()).as("%s in %s", name, pom).isTrue();
    return property.group(1);
  }

  @Test
  void directory_isOneOfPeers_withClassesAndLibraries() throws IOException {
    assertThat(Peers.areIn(dir)).isFalse();

    Files.createDirectories(dir.resolve("classes"));
    Files.createDirectories(dir.resolve("dependency"));

    assertThat(Peers.areIn(dir)).isTrue();
    BenchSetup setup =
        new BenchSetup(
            List.of(), Compression.ZSTD, Optional.empty(), Optional.of(dir), BenchSetup.ENOUGH);
    assertThat(setup.classPathBefore(Subject.FLINK))
        .isEqualTo(dir.resolve("classes") + ":" + dir.resolve("dependency") + "/*:");
    assertThat(setup.classPathBefore(Subject.WEIR)).isEmpty();
  }

  @Test
  void peer_isMeasuredOnlyWhereItIsNamed() {
    assertThat(subjects(List.of(Subject.WEIR, Subject.LOOP))).noneMatch(Subject::isPeer);
    assertThat(subjects(List.of(Subject.WEIR, Subject.FLINK_CHAINED)))
        .containsExactly(Subject.WEIR, Subject.FLINK_CHAINED);
  }

  @Test
  void killedPlan_hasTheSameSteps_eachKilled() {
    BenchPlan plan = plan(List.of(Subject.WEIR, Subject.STREAMS_EXPERT, Subject.FLINK));

    assertThat(plan.steps()).hasSize(3).noneMatch(Step::killed);
    assertThat(plan.withKills().steps())
        .isEqualTo(plan.steps().stream().map(Step::kill).toList())
        .allMatch(Step::killed);
  }

  @Test
  void whatKeepsNothing_isNotKilled() {
    BenchPlan plan = plan(List.of(Subject.WEIR, Subject.LOOP));

    assertThatThrownBy(plan::withKills)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dense_row with LOOP");
  }

  @Test
  void delayOfClosing_isWeirsGrace_orWhatIsAllowedToThePeers() {
    assertThat(closing(Subject.WEIR)).isEqualTo(new Closing(Closing.Time.SENSOR, 5_000));
    assertThat(closing(Subject.FLINK)).isEqualTo(new Closing(Closing.Time.TOPIC, 7_000));
    assertThat(closing(Subject.STREAMS_EXPERT))
        .isEqualTo(new Closing(Closing.Time.PARTITION, 7_000));
  }

  private static Closing closing(Subject subject) {
    Duration outOfOrderness = Duration.ofSeconds(7);
    return new Task(
            subject,
            "localhost:1",
            "run",
            "topic",
            10,
            5,
            1,
            0,
            0,
            Optional.empty(),
            outOfOrderness,
            Optional.empty())
        .closing();
  }

  private static BenchPlan plan(List<Subject> named) {
    return BenchPlan.of(
        BenchScale.QUICK, 2, group -> group.equals("dense_row"), named, false, List.of());
  }

  private static List<Subject> subjects(List<Subject> named) {
    return plan(named).steps().stream().map(Step::subject).toList();
  }

  @Test
  void withoutPeers_theProcessSaysSo() {
    Task task =
        new Task(
            Subject.FLINK,
            "localhost:1",
            "run",
            "topic",
            10,
            5,
            1,
            0,
            0,
            Optional.empty(),
            BenchSetup.ENOUGH,
            Optional.empty());

    assertThatThrownBy(() -> Peer.find(task)).hasMessageContaining("FLINK");
  }
}
