package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.internal.ops.Meters;
import io.weir.internal.ops.ProcessPages;
import io.weir.internal.sink.Sink;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.resource.PatternType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several plants on one cluster: the names on Kafka of each. */
class PlantTest {

  @Test
  void namesBeginWithThePlantAndADot() {
    WeirConfig config = config("jakarta", Map.of());
    assertThat(config.topics().byTopic().values())
        .allMatch(name -> name.startsWith("jakarta.weir."));
    assertThat(config.topics().readings()).isEqualTo("jakarta.weir.readings");
    assertThat(config.applicationId()).isEqualTo("jakarta.weir");
    assertThat(config.events().applicationId()).isEqualTo("jakarta.weir-events");
    assertThat(Sink.group(config.applicationId())).startsWith("jakarta.");
    assertThat(config.shown())
        .containsEntry("weir.topic.readings", "jakarta.weir.readings")
        .containsEntry("weir.application.id", "jakarta.weir");
  }

  @Test
  void namesThatAreSet_stayAsTheyAre() {
    WeirConfig config =
        config("jakarta", Map.of("WEIR_TOPIC_WINDOWS", "w", "WEIR_APPLICATION_ID", "mine"));
    assertThat(config.topics().windows()).isEqualTo("w");
    assertThat(config.applicationId()).isEqualTo("mine");
    assertThat(config.topics().late()).isEqualTo("jakarta.weir.late");
  }

  @Test
  void everyMetric_hasThePlantAsALabel() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (ProcessPages pages = new ProcessPages(config("jakarta", Map.of()), registry, () -> "")) {
      new Meters(pages.registry()).batch(10);
      assertThat(registry.scrape().lines().filter(line -> !line.startsWith("#")))
          .hasSizeGreaterThan(50)
          .allMatch(line -> line.contains("plant=\"jakarta\""));
    }
  }

  /** A plant switches no topic on: names that differ from the defaults of others do not count. */
  @Test
  void optionalTopics_areOffAsWithoutAPlant() {
    assertThat(config("jakarta", Map.of()).topics().topics())
        .isEqualTo(WeirConfig.of(new Properties(), Map.of(), Map.of()).topics().topics());
  }

  @ParameterizedTest
  @ValueSource(strings = {"weir", "a.b", "a_b", "a b", "ä"})
  void namesThatAreNone_areRefused(String name) {
    assertThatThrownBy(() -> config(name, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("weir.plant");
  }

  @Test
  void rightsOfAPlant_reachNothingOfAnother() {
    List<Acl> rights = rights(config("jakarta", Map.of()));
    for (Acl other : rights(config("jakarta-2", Map.of()))) {
      assertThat(rights).noneMatch(right -> reaches(right, other));
    }
  }

  private static boolean reaches(Acl right, Acl other) {
    return right.resource() == other.resource()
        && (right.pattern() == PatternType.PREFIXED
            ? other.name().startsWith(right.name())
            : other.name().equals(right.name()));
  }

  private static List<Acl> rights(WeirConfig config) {
    TopicNames topics = config.topics();
    String id = config.applicationId();
    String eventsId = config.events().applicationId();
    return Stream.of(
            Acl.ofRun(id, topics),
            Acl.ofEvents(eventsId, topics),
            Acl.ofEdge(topics),
            Acl.ofOperator(id, Optional.of(eventsId), topics),
            Acl.ofSink(Sink.group(id), List.of(topics.windows())),
            Acl.ofImport(
                config.ofPlant("weir-import-line"),
                List.of(),
                config.ofPlant("weir.import.progress"),
                topics))
        .flatMap(List::stream)
        .toList();
  }

  @Test
  void plantOfATopic() {
    assertThat(TopicNames.plantOf("weir.windows")).contains("");
    assertThat(TopicNames.plantOf("jakarta.weir.windows")).contains("jakarta");
    assertThat(TopicNames.plantOf("jakarta.weir.latest.rollups")).contains("jakarta");
    assertThat(TopicNames.plantOf("windows")).isEmpty();
    assertThat(TopicNames.plantOf("xweir.windows")).isEmpty();
    for (Topic topic : Topic.values()) {
      assertThat(TopicNames.plantOf("p." + topic.defaultName())).as(topic.text()).contains("p");
    }
  }

  private static WeirConfig config(String plant, Map<String, String> environment) {
    return WeirConfig.of(new Properties(), environment, Map.of("plant", plant));
  }
}
