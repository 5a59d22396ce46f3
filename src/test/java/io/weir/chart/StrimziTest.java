package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.topic.KafkaTopicSpec;
import io.weir.internal.app.Acl;
import io.weir.internal.app.AclTable;
import io.weir.topic.Replication;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.topic.TopicOptions;
import io.weir.topic.TopicPlan;
import io.weir.topic.TopicSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/** That Strimzi makes what {@code weir topics} makes. */
class StrimziTest {
  @Test
  void topics_areThePlansOfACluster() {
    assertThat(topics("strimzi")).isEqualTo(plan(3));
  }

  @Test
  void topics_withoutCopies_areThePlansOfASingleBroker() {
    assertThat(topics("edge")).isEqualTo(plan(1));
  }

  /** Not even helm uninstall takes topics away: their data goes with them. */
  @Test
  void topics_stayWhenTheReleaseGoes() {
    assertThat(Manifest.all(HelmChart.render(HelmChart.ciFile("strimzi"))))
        .filteredOn(manifest -> manifest.kind().equals("KafkaTopic"))
        .hasSize(5)
        .allSatisfy(
            topic ->
                assertThat(YamlTree.map(topic.at("metadata", "annotations")))
                    .containsEntry("helm.sh/resource-policy", "keep")
                    .containsEntry("argocd.argoproj.io/sync-options", "Prune=false,Delete=false"));
  }

  @Test
  void topics_areKeptAsLongAsTheSettingsSay() {
    String values =
        """
        strimzi: {enabled: true}
        kafka: {security.protocol: SSL}
        config:
          weir.topic.windows.retention: 12h
          weir.topic.windows.retention.bytes: 1000000
          weir.topic.late.retention.bytes: -1
        """;
    List<KafkaTopicSpec> topics =
        Manifest.all(HelmChart.renderWith(values)).stream()
            .filter(manifest -> manifest.kind().equals("KafkaTopic"))
            .map(manifest -> ((KafkaTopic) TypedManifest.read(manifest)).getSpec())
            .toList();

    assertThat(settings(topics.get(1)).config())
        .containsEntry("retention.ms", "43200000")
        .containsEntry("retention.bytes", "1000000");
    assertThat(settings(topics.get(2)).config()).containsEntry("retention.bytes", "-1");
  }

  private static List<TopicSettings> plan(int replicas) {
    return plan(TopicNames.DEFAULT, replicas);
  }

  private static List<TopicSettings> plan(TopicNames names, int replicas) {
    return TopicPlan.of(
        names, TopicOptions.DEFAULT, new Replication((short) replicas, true, "strimzi.replicas"));
  }

  @Test
  void users_haveTheLeastRights() {
    assertThat(rights("weir"))
        .containsExactlyInAnyOrderElementsOf(Acl.ofRun("weir", TopicNames.DEFAULT));
    List<Acl> ofEdge = new ArrayList<>(Acl.ofEdge(TopicNames.DEFAULT));
    ofEdge.addAll(Acl.ofNoticingRefusals(TopicNames.DEFAULT));
    assertThat(rights("weir-edge")).containsExactlyInAnyOrderElementsOf(ofEdge);
    assertThat(rights("weir-operator"))
        .containsExactlyInAnyOrderElementsOf(
            Acl.ofOperator("weir", Optional.empty(), TopicNames.DEFAULT))
        .containsAll(Acl.ofGatewayReset(TopicNames.DEFAULT))
        .containsAll(
            Acl.ofRedrive("weir", Topic.DEAD_LETTERS, TopicNames.DEFAULT).stream()
                .filter(acl -> acl.resource() != ResourceType.GROUP) // To read it includes this.
                .toList())
        .containsAll(Acl.ofTail("weir.late"));
  }

  @Test
  void rollupsSwitchedOn_haveTheirTopicAndTheRightToIt() {
    String values =
        """
        strimzi: {enabled: true}
        kafka: {security.protocol: SSL}
        config: {weir.rollups: "1m,1h"}
        """;
    List<Manifest> manifests = Manifest.all(HelmChart.renderWith(values));
    assertThat(names(values))
        .containsExactlyElementsOf(
            TopicNames.DEFAULT.with(Topic.ROLLUPS, Topic.ROLLUPS.defaultName()).all());
    assertThat(rights(manifests, "weir"))
        .contains(
            new Acl(ResourceType.TOPIC, PatternType.LITERAL, "weir.rollups", AclOperation.WRITE));
  }

  @Test
  void plant_isBeforeEveryNameAndRight() {
    String values =
        """
        strimzi: {enabled: true}
        kafka: {security.protocol: SSL}
        config: {weir.plant: jakarta}
        """;
    assertThat(names(values))
        .containsExactlyElementsOf(
            TopicNames.DEFAULT.all().stream().map("jakarta."::concat).toList());
    assertThat(rights(Manifest.all(HelmChart.renderWith(values)), "weir"))
        .isNotEmpty()
        .allMatch(right -> right.name().startsWith("jakarta.weir"));
  }

  @Test
  void everythingSwitchedOn_hasItsTopicsAndTheRightToThem() {
    String values =
        """
        strimzi: {enabled: true}
        kafka: {security.protocol: SSL}
        config: {weir.rollups: "1m,1h", weir.hopping: 5m, weir.events: true, weir.fold: true,
          weir.groups: true, weir.status: true, weir.latest: json,
          weir.latest.of: "windows,rollups,hopping"}
        """;
    List<Manifest> manifests = Manifest.all(HelmChart.renderWith(values));
    List<TopicSettings> topics =
        manifests.stream()
            .filter(manifest -> manifest.kind().equals("KafkaTopic"))
            .map(manifest -> ((KafkaTopic) TypedManifest.read(manifest)).getSpec())
            .map(StrimziTest::settings)
            .toList();
    assertThat(topics).isEqualTo(plan(TopicNames.ALL, 3));
    assertThat(rights(manifests, "weir"))
        .containsExactlyInAnyOrderElementsOf(Acl.ofRun("weir", TopicNames.ALL));
  }

  @Test
  void lastSummaries_haveTheTopicsThatAreListed() {
    String values =
        """
        strimzi: {enabled: true}
        kafka: {security.protocol: SSL}
        config: {%s}
        """;
    assertThat(names(values.formatted("weir.latest: 'off'")))
        .containsExactlyElementsOf(TopicNames.DEFAULT.all());
    assertThat(names(values.formatted("weir.latest: protobuf")))
        .containsExactlyElementsOf(
            TopicNames.DEFAULT.with(Topic.LATEST, Topic.LATEST.defaultName()).all());
    assertThat(
            names(values.formatted("weir.latest: json, weir.rollups: 1h, weir.latest.of: rollups")))
        .contains("weir.latest.rollups")
        .doesNotContain("weir.latest");
  }

  private static List<String> names(String values) {
    return Manifest.all(HelmChart.renderWith(values)).stream()
        .filter(manifest -> manifest.kind().equals("KafkaTopic"))
        .map(manifest -> ((KafkaTopic) TypedManifest.read(manifest)).getSpec().getTopicName())
        .toList();
  }

  /** Events are published, scheduled and folded with no more rights than Weir asks for. */
  @Test
  void usersOfEvents_haveTheLeastRights() {
    TopicNames events = events().without(List.of(Topic.WINDOWS)); // Groups alone are made of them.
    TopicNames folded = events.with(Topic.FOLDED, Topic.FOLDED.defaultName());
    List<Manifest> manifests = Manifest.all(HelmChart.render(HelmChart.ciFile("events")));

    assertThat(rights(manifests, "weir-events"))
        .containsExactlyInAnyOrderElementsOf(Acl.ofEvents("weir-events", folded));
    assertThat(rights(manifests, "weir-operator"))
        .containsExactlyInAnyOrderElementsOf(
            Acl.ofOperator(
                "weir",
                Optional.of("weir-events"),
                folded
                    .with(Topic.WINDOWS, Topic.WINDOWS.defaultName())
                    .with(Topic.STATUS, Topic.STATUS.defaultName())));
    assertThat(rights(manifests, "weir-publisher"))
        .containsExactlyInAnyOrderElementsOf(Acl.ofPublisher(folded));
    TopicNames groups =
        events()
            .with(Topic.GROUPS, Topic.GROUPS.defaultName())
            .with(Topic.GROUP_PARTS, Topic.GROUP_PARTS.defaultName());
    assertThat(rights(eventsWith("weir.groups: true"), "weir-events"))
        .containsExactlyInAnyOrderElementsOf(Acl.ofEvents("weir-events", groups));
    assertThat(rights(eventsWith("weir.fold: false"), "weir-events"))
        .containsExactlyInAnyOrderElementsOf(Acl.ofEvents("weir-events", events));
    assertThat(
            rights(
                eventsWith(
                    "weir.application.id: plant-7, weir.topic.scheduled: later, weir.groups: true"),
                "weir-events"))
        .containsExactlyInAnyOrderElementsOf(
            Acl.ofEvents(
                "plant-7-events",
                events()
                    .with(Topic.SCHEDULED, "later")
                    .with(Topic.GROUPS, Topic.GROUPS.defaultName())
                    .with(Topic.GROUP_PARTS, Topic.GROUP_PARTS.defaultName())));
  }

  @Test
  void page_readsAndNoMore() {
    List<Acl> expected =
        new ArrayList<>(
            Acl.ofServe(
                List.of(
                    "weir.windows",
                    "weir.rollups",
                    "weir.status",
                    "weir.late",
                    "weir.dead-letters")));
    expected.addAll(Acl.ofExplain("weir", TopicNames.DEFAULT));

    assertThat(rights(Manifest.all(HelmChart.render(HelmChart.ciFile("serve"))), "weir-serve"))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Births and deaths of Sparkplug's edge nodes are events. */
  @Test
  void gatewayOfEdgeNodes_writesEventsToo() {
    List<Acl> expected = new ArrayList<>(Acl.ofEdge(TopicNames.DEFAULT));
    expected.addAll(Acl.ofNoticingRefusals(TopicNames.DEFAULT));
    expected.addAll(Acl.ofPublisher(events()));

    assertThat(rights(Manifest.all(HelmChart.render(HelmChart.ciFile("inputs"))), "weir-edge"))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void sinkAndCollector_haveTheLeastRights() {
    String values =
        """
        strimzi: {enabled: true}
        kafka: {security.protocol: SSL}
        sink: {enabled: true}
        collector: {enabled: true, gatewayId: db}
        config: {weir.application.id: plant-7, weir.sink.jdbc.url: "jdbc:postgresql://db/weir",
          weir.collect.jdbc.url: "jdbc:postgresql://db/plant", %s}
        """;
    List<Manifest> all =
        Manifest.all(
            HelmChart.renderWith(
                values.formatted(
                    "weir.rollups: 1m, weir.hopping: 5m, weir.events: true, weir.fold: true,"
                        + " weir.groups: true, weir.status: true")));
    assertThat(rights(all, "weir-sink"))
        .containsExactlyInAnyOrderElementsOf(
            Acl.ofSink(
                "plant-7-sink",
                List.of(
                    "weir.windows",
                    "weir.rollups",
                    "weir.hopping",
                    "weir.groups",
                    "weir.status",
                    "weir.folded")));
    assertThat(rights(all, "weir-collector"))
        .containsExactlyInAnyOrderElementsOf(Acl.ofCollect(TopicNames.ALL));

    List<Manifest> some =
        Manifest.all(
            HelmChart.renderWith(
                values.formatted(
                    "weir.rollups: 1m, weir.topic.rollups: larger, weir.sink.topics: 'rollups'")));
    assertThat(rights(some, "weir-sink"))
        .containsExactlyInAnyOrderElementsOf(Acl.ofSink("plant-7-sink", List.of("larger")));
    assertThat(rights(some, "weir-collector"))
        .containsExactlyInAnyOrderElementsOf(Acl.ofCollect(TopicNames.DEFAULT));
  }

  @Test
  void imports_haveTheLeastRights() {
    List<Manifest> manifests =
        Manifest.all(
            HelmChart.renderWith(
                """
                strimzi: {enabled: true}
                kafka: {security.protocol: SSL}
                import: {enabled: true, imports: [{name: plant, topics: [a.raw, b.raw]}]}
                """));
    assertThat(rights(manifests, "weir-import"))
        .containsExactlyInAnyOrderElementsOf(
            Acl.ofImport(
                "weir-import-plant",
                List.of("a.raw", "b.raw"),
                "weir.import.progress",
                TopicNames.DEFAULT));
  }

  @Test
  void importsOfAPlant_haveItsNames() {
    List<Manifest> manifests =
        Manifest.all(
            HelmChart.renderWith(
                """
                strimzi: {enabled: true}
                kafka: {security.protocol: SSL}
                config: {weir.plant: jakarta}
                import: {enabled: true, imports: [{name: line, topics: [a.raw]}]}
                """));
    assertThat(rights(manifests, "weir-import"))
        .contains(
            new Acl(
                ResourceType.GROUP,
                PatternType.LITERAL,
                "jakarta.weir-import-line",
                AclOperation.READ),
            new Acl(
                ResourceType.TRANSACTIONAL_ID,
                PatternType.PREFIXED,
                "jakarta.weir-import-line-",
                AclOperation.WRITE))
        .noneMatch(right -> right.name().startsWith("weir"));
  }

  private static TopicNames events() {
    return TopicNames.DEFAULT
        .with(Topic.EVENTS, Topic.EVENTS.defaultName())
        .with(Topic.SCHEDULED, Topic.SCHEDULED.defaultName());
  }

  private static List<Manifest> eventsWith(String config) {
    return Manifest.all(
        HelmChart.renderWith(
            """
            strimzi: {enabled: true}
            kafka: {security.protocol: SSL}
            events: {enabled: true}
            config: {weir.events: true, %s}
            """
                .formatted(config)));
  }

  @Test
  void manual_listsTheRights() throws IOException {
    assertThat(Files.readString(Path.of("docs/reference/rights.md"))).contains(AclTable.markdown());
  }

  /** The rights of a user, in the form of Weir's own list. */
  private static List<Acl> rights(String user) {
    return rights(Manifest.all(HelmChart.render(HelmChart.ciFile("strimzi"))), user);
  }

  private static List<Acl> rights(List<Manifest> manifests, String user) {
    Manifest manifest =
        manifests.stream()
            .filter(found -> found.kind().equals("KafkaUser") && found.name().equals(user))
            .findFirst()
            .orElseThrow();
    return YamlTree.list(manifest.at("spec", "authorization", "acls")).stream()
        .flatMap(
            acl ->
                YamlTree.texts(YamlTree.at(acl, "operations")).stream()
                    .map(operation -> right(acl, operation)))
        .toList();
  }

  private static Acl right(Object acl, String operation) {
    boolean prefix = "prefix".equals(YamlTree.at(acl, "resource", "patternType"));
    return new Acl(
        ResourceType.valueOf(constant(YamlTree.at(acl, "resource", "type"))),
        prefix ? PatternType.PREFIXED : PatternType.LITERAL,
        (String) YamlTree.at(acl, "resource", "name"),
        AclOperation.valueOf(constant(operation)));
  }

  /** Strimzi writes transactionalId and DescribeConfigs where Kafka has TRANSACTIONAL_ID. */
  private static String constant(Object name) {
    return name.toString().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
  }

  /** The topics of a render, in the form of Weir's own list. */
  private static List<TopicSettings> topics(String ciFile) {
    return Manifest.all(HelmChart.render(HelmChart.ciFile(ciFile))).stream()
        .filter(manifest -> manifest.kind().equals("KafkaTopic"))
        .map(manifest -> ((KafkaTopic) TypedManifest.read(manifest)).getSpec())
        .map(StrimziTest::settings)
        .toList();
  }

  private static TopicSettings settings(KafkaTopicSpec topic) {
    return new TopicSettings(
        topic.getTopicName(),
        topic.getPartitions(),
        topic.getReplicas().shortValue(),
        topic.getConfig().entrySet().stream()
            .collect(
                Collectors.toMap(
                    entry -> entry.getKey(),
                    entry -> entry.getValue().toString(),
                    (a, b) -> a,
                    TreeMap::new)));
  }
}
