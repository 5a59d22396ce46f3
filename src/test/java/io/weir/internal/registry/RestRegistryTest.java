package io.weir.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.registry.Schema.Reference;
import io.weir.internal.wire.SchemaKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client against a registry that misbehaves. */
@Timeout(60)
class RestRegistryTest {
  private static final Schema SCHEMA =
      new Schema(Schema.PROTOBUF, "syntax = \"proto3\"; message A {}", List.of());
  private static final SchemaKey KEY = new SchemaKey.Id(1);

  private final FakeRegistry fake = FakeRegistry.start();
  private final List<Long> waits = new ArrayList<>();
  private final Map<String, Object> settings = new HashMap<>();
  private long nowMs;

  RestRegistryTest() {
    settings.put(RegistrySettings.URL, fake.url());
  }

  @AfterEach
  void close() {
    fake.close();
  }

  private SchemaRegistry registry() {
    return Registries.open(RegistrySettings.of(settings), () -> nowMs, waits::add);
  }

  private static void assertFails(Kind kind, Runnable call, String... expected) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(RegistryException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageContainingAll(expected)
        .message()
        .doesNotContain("\n");
  }

  private void nextAnswers(int times, int status, String body) {
    IntStream.range(0, times).forEach(i -> fake.nextAnswers(status, body));
  }

  @Test
  void whatIsRegistered_isFoundByEveryName() {
    SchemaRegistry registry = registry();
    int id = registry.register("weir.readings-value", SCHEMA);
    Schema importing =
        new Schema(
            Schema.PROTOBUF,
            "import \"a.proto\";",
            List.of(new Reference("a.proto", "weir.readings-value", 1)));
    int other = registry.register("weir.late-value", importing);

    assertThat(other).isNotEqualTo(id);
    assertThat(registry.schema(new SchemaKey.Id(other))).isEqualTo(importing);
    UUID guid = MockRegistry.guid(importing);
    assertThat(registry.schema(new SchemaKey.Guid(guid))).isEqualTo(importing);
    assertThat(registry.lookUp("weir.late-value", importing))
        .isEqualTo(new Registered("weir.late-value", 1, other, importing));
    assertThat(registry.latest("weir.readings-value"))
        .isEqualTo(new Registered("weir.readings-value", 1, id, SCHEMA));
    registry.delete("weir.late-value");
    assertFails(Kind.MISSING, () -> registry.latest("weir.late-value"), "404");
    registry.delete("weir.late-value");
    assertThat(waits).isEmpty();
  }

  @Test
  void subjectsOfAnyName_areOneStepOfThePath() {
    registry().register("a/b c", SCHEMA);
    assertThat(fake.requests()).containsExactly("POST /subjects/a%2Fb%20c/versions");
  }

  @Test
  void whatDoesNotChange_isAskedOnce() {
    SchemaRegistry registry = registry();
    for (int i = 0; i < 3; i++) {
      int id = registry.register("s", SCHEMA);
      registry.schema(new SchemaKey.Id(id));
      registry.lookUp("s", SCHEMA);
      registry.version("s", 1);
    }
    assertThat(fake.requests())
        .containsExactly(
            "POST /subjects/s/versions",
            "GET /schemas/ids/1",
            "POST /subjects/s",
            "GET /subjects/s/versions/1");
  }

  @Test
  void aMissingId_isAcceptedForAShortTimeOnly() {
    SchemaRegistry registry = registry();
    assertFails(Kind.MISSING, () -> registry.schema(KEY), "404", "schema 1");
    fake.schemas().register("s", SCHEMA);
    nowMs += 9_999;
    assertFails(Kind.MISSING, () -> registry.schema(KEY), "404");
    assertThat(fake.requests()).hasSize(1);
    nowMs += 1;
    assertThat(registry.schema(KEY)).isEqualTo(SCHEMA);
  }

  @Test
  void a404ThatNoRegistrySays_isNoAnswer() {
    nextAnswers(4, 404, "<html>404 Not Found</html>");
    assertFails(Kind.UNKNOWN_PATH, () -> registry().schema(KEY), "404 Not Found", "check the path");
    nextAnswers(4, 404, "{\"error_code\":404,\"message\":\"HTTP 404 Not Found\"}");
    assertFails(Kind.UNKNOWN_PATH, () -> registry().schema(KEY), "check the path");
  }

  @Test
  void badStatuses_areRetriedOrReportedAtOnce() {
    fake.schemas().register("s", SCHEMA);
    nextAnswers(2, 500, "{\"error_code\":50001,\"message\":\"Error in the backend data store\"}");
    nextAnswers(1, 429, "");
    assertThat(registry().schema(KEY)).isEqualTo(SCHEMA);
    assertThat(waits).containsExactly(1_000L, 2_000L, 4_000L);

    nextAnswers(4, 503, "");
    assertFails(Kind.UNAVAILABLE, () -> registry().schema(KEY), "503");
    nextAnswers(1, 401, "{\"error_code\":401,\"message\":\"Unauthorized\"}");
    assertFails(Kind.REFUSED, () -> registry().schema(KEY), "401", "basic.auth.user.info");
    nextAnswers(1, 409, "{\"error_code\":409,\"message\":\"it is\\nincompatible\"}");
    assertFails(Kind.REFUSED, () -> registry().register("s", SCHEMA), "it is incompatible");
    nextAnswers(1, 302, "");
    assertFails(Kind.REFUSED, () -> registry().schema(KEY), "302");
  }

  @Test
  void silenceAndHalfAnswers_areAskedAgain() {
    fake.schemas().register("s", SCHEMA);
    settings.put(RegistrySettings.READ_TIMEOUT_MS, 500);
    fake.next(FakeRegistry::halfAnAnswer).next(fake::stall).next(fake::silence);
    assertThat(registry().schema(KEY)).isEqualTo(SCHEMA);
    assertThat(fake.requests()).hasSize(4);

    settings.put(RegistrySettings.MAX_RETRIES, 0);
    fake.nextAnswers(200, "{\"schema\":\"synt");
    assertFails(Kind.UNAVAILABLE, () -> registry().schema(KEY), "with an invalid answer");
    fake.nextAnswers(200, "{\"id\":1}");
    assertFails(Kind.UNAVAILABLE, () -> registry().schema(KEY), "missing text schema");
    fake.nextAnswers(200, "");
    assertFails(Kind.UNAVAILABLE, () -> registry().schema(KEY), "not a JSON object");
    fake.next(fake::silence);
    assertFails(Kind.UNAVAILABLE, () -> registry().schema(KEY), "no answer within 500 ms");
  }

  @Test
  void registryThatIsAway_isAskedAgainWithGrowingPauses() {
    fake.goAway();
    settings.put(RegistrySettings.MAX_RETRIES, 6);
    assertFails(
        Kind.UNAVAILABLE, () -> registry().schema(KEY), "does not answer", "refused", fake.url());
    assertThat(waits).containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 20_000L);
  }

  @Test
  void severalAddresses_areTriedInTurn_andTheOneThatAnswersStays() {
    try (FakeRegistry away = FakeRegistry.start()) {
      away.goAway();
      fake.schemas().register("s", SCHEMA);
      settings.put(RegistrySettings.URL, away.url() + "," + fake.url());
      settings.put(RegistrySettings.CACHED_SCHEMAS, 1);
      SchemaRegistry registry = registry();
      assertThat(registry.schema(KEY)).isEqualTo(SCHEMA);
      assertThat(waits).isEmpty();

      away.comeBack();
      registry.lookUp("s", SCHEMA);
      assertThat(away.requests()).isEmpty();
      fake.goAway();
      away.schemas().register("s", SCHEMA);
      assertThat(registry.latest("s").version()).isOne();
      assertThat(away.requests()).hasSize(1);
    }
  }

  @Test
  void credentials_goWithEveryRequest() {
    settings.put(RegistrySettings.BASIC_SOURCE, "USER_INFO");
    settings.put("schema.registry." + RegistrySettings.BASIC_USER_INFO, "gate:se:cret");
    registry().register("s", SCHEMA);
    settings.put(RegistrySettings.BASIC_SOURCE, "SASL_INHERIT");
    settings.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required"
            + " username=\"kafka\" password=\"pass\";");
    registry().register("s", SCHEMA);
    settings.put(RegistrySettings.BEARER_SOURCE, "STATIC_TOKEN");
    settings.put(RegistrySettings.BEARER_TOKEN, "t0ken");
    registry().register("s", SCHEMA);
    settings.put(RegistrySettings.URL, fake.url().replace("//", "//us%40er:p%2Fw@"));
    registry().register("s", SCHEMA);

    assertThat(fake.authorizations())
        .containsExactly(
            RegistryUrl.basic("gate:se:cret"),
            RegistryUrl.basic("kafka:pass"),
            "Bearer t0ken",
            RegistryUrl.basic("us@er:p/w"));
    assertThat(RegistrySettings.of(settings).toString()).doesNotContain("p%2Fw", "t0ken");
  }

  @Test
  void interruptedWait_ends() {
    fake.next(
        exchange -> {
          throw new IOException("never answered");
        });
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> registry().schema(KEY))
        .isInstanceOf(org.apache.kafka.common.errors.InterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Else a record with such an id would wait, and be read again, for ever. */
  @Test
  void anIdThatIsNone_isMissing_andNotWaitedFor() {
    for (int status : new int[] {400, 422}) {
      nextAnswers(1, status, "{\"error_code\":42202,\"message\":\"no id\"}");
      SchemaRegistry registry = registry();
      assertFails(Kind.MISSING, () -> registry.schema(new SchemaKey.Id(-1)), "no id");
      assertFails(Kind.MISSING, () -> registry.schema(new SchemaKey.Id(-1)), "no id");
      nextAnswers(1, status, "");
      assertFails(Kind.MISSING, () -> registry.version("a/b", 1), "versions/1");
    }
    assertThat(fake.requests()).hasSize(4);
  }

  /** Anybody may name an id that this process may not see. A proxy's 403 is no registry's. */
  @Test
  void anIdThatMayNotBeSeen_isMissing_andAProxysRefusalIsNoAnswer() {
    for (int code : new int[] {403, 40301}) {
      nextAnswers(1, 403, "{\"error_code\":" + code + ",\"message\":\"denied\"}");
      assertFails(Kind.MISSING, () -> registry().schema(KEY), "denied");
      nextAnswers(1, 403, "{\"error_code\":" + code + ",\"message\":\"denied\"}");
      assertFails(Kind.MISSING, () -> registry().version("s", 1), "denied");
    }
    nextAnswers(1, 403, "<html>blocked</html>");
    assertFails(Kind.REFUSED, () -> registry().schema(KEY), "blocked");
  }

  @Test
  void anAnswerWithoutEnd_isNotRead() {
    nextAnswers(1, 200, "\"" + "a".repeat(1 << 21) + "\"");
    assertFails(
        Kind.MISSING,
        () -> registry().schema(new SchemaKey.Id(1)),
        "GET /schemas/ids/1 with more than 1048576 bytes");
    nextAnswers(1, 200, "\"" + "a".repeat(1 << 21) + "\"");
    assertFails(
        Kind.MISSING,
        () -> registry().version("s", 1),
        "GET /subjects/s/versions/1 with more than 1048576 bytes");
  }
}
