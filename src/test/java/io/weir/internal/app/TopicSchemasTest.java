package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.app.TopicSchemas.State;
import io.weir.internal.registry.FakeRegistry;
import io.weir.internal.registry.ValueFormat;
import io.weir.topic.Topic.User;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicSchemasTest {
  private final FakeRegistry registry = FakeRegistry.start();

  @AfterEach
  void close() {
    registry.close();
  }

  private WeirConfig config(String... more) {
    Map<String, String> options = new HashMap<>(Map.of("schema.registry.url", registry.url()));
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return WeirConfig.of(new Properties(), Map.of(), options);
  }

  private static TopicSchemas schemas(WeirConfig config) {
    return TopicSchemas.of(config).orElseThrow();
  }

  private static void requireWritable(WeirConfig config) {
    TopicSchemas.requireWritable(
        config.topics().outputsOf(User.RUN), ValueFormat.of(config.values()));
  }

  @Test
  void everyTopic_getsItsSubject_andLosesItAgain() {
    WeirConfig config = config("topic.late", "late", "auto.register.schemas", "false");
    assertThat(schemas(config).verify()).extracting(State::id).containsOnly(Optional.empty());
    assertThat(schemas(config).register())
        .extracting(State::subject)
        .containsExactly(
            "weir.readings-value", "weir.windows-value", "late-value", "weir.dead-letters-value");
    assertThat(schemas(config).verify()).extracting(State::id).doesNotContain(Optional.empty());
    requireWritable(config);

    schemas(config).delete("weir.");
    assertThat(schemas(config).verify())
        .extracting(state -> state.id().isPresent())
        .containsExactly(false, false, true, false);
  }

  @Test
  void schemasThatAreNotThere_refuseTheStart() {
    assertThatThrownBy(() -> requireWritable(config("auto.register.schemas", "false")))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("not registered under subject")
        .hasMessageContaining("auto.register.schemas is false");
    requireWritable(config());
    assertThat(registry.schemas().latest("weir.windows-value").version()).isOne();
  }

  @Test
  void registryThatRefuses_isReportedInOneLine() {
    registry.refuse(true);
    assertThatThrownBy(() -> requireWritable(config()))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageStartingWith("weir.schema.registry.url: schema registry at " + registry.url())
        .hasMessageContaining("401");
    assertThat(schemas(config()).register())
        .allSatisfy(state -> assertThat(state.problem().orElse("")).contains("401"));
  }

  @Test
  void withoutARegistry_thereIsNothingToDo() {
    WeirConfig bare = WeirConfig.of(new Properties(), Map.of(), Map.of());
    assertThat(TopicSchemas.of(bare)).isEmpty();
    requireWritable(bare);
    assertThat(registry.requests()).isEmpty();
  }
}
