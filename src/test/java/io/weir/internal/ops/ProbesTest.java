package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.app.Dependency;
import io.weir.internal.app.FakeService;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProbesTest {
  private static final String TEXT = "text/plain; charset=utf-8";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Probes probes = new Probes();

  ProbesTest() {
    probes.bindTo(registry);
  }

  @Test
  void start_livesButIsNotReady_andSaysWhatIsWaitedFor() {
    probes.waiting("no answer from Kafka at kafka:9092");

    assertThat(reply("/livez").status()).isEqualTo(200);
    String why = "STARTING, waiting for: no answer from Kafka at kafka:9092\n";
    assertThat(reply("/readyz")).isEqualTo(new Reply.Text(503, TEXT, why));
    assertThat(registry.get("weir.ready").gauge().value()).isZero();
  }

  @Test
  void runningService_reportsItsOwnState() {
    FakeService service = new FakeService();
    probes.running(service);
    assertThat(reply("/readyz")).isEqualTo(new Reply.Text(200, TEXT, "RUNNING\n"));
    assertThat(registry.get("weir.ready").gauge().value()).isEqualTo(1);

    service.ready = false;
    assertThat(reply("/readyz")).isEqualTo(new Reply.Text(503, TEXT, "REBALANCING\n"));
    assertThat(reply("/livez").status()).isEqualTo(200);
  }

  @Test
  void whatIsWaitedFor_isAGauge_ofEachSystem() {
    assertThat(waited("registry")).isZero();
    FakeService service = new FakeService();
    probes.running(service);
    assertThat(waited("kafka")).isZero();

    service.waits = Map.of(Dependency.REGISTRY, 42_000L);

    assertThat(waited("registry")).isEqualTo(42);
    assertThat(waited("kafka")).isZero();
    assertThat(waited("database")).isZero();
    assertThat(waited("transaction")).isZero();
  }

  private double waited(String system) {
    return registry.get("weir.waiting").tag("for", system).timeGauge().value(TimeUnit.SECONDS);
  }

  @Test
  void timeSinceTheLastSuccess_isShownInEachJob_alsoBeforeItsStart() {
    assertThat(registry.get("weir.success.age").timeGauge().value(TimeUnit.MILLISECONDS))
        .isNotNegative();
    FakeService service = new FakeService();
    probes.running(service);
    service.successAgeMs = 90_000;
    assertThat(registry.get("weir.success.age").timeGauge().value(TimeUnit.SECONDS)).isEqualTo(90);
  }

  @Test
  void serviceThatMustEnd_neitherLivesNorIsReady_andSaysWhy() {
    FakeService service = new FakeService();
    probes.running(service);
    service.ended.complete(Optional.of("state was lost"));

    String why = "RUNNING: state was lost\n";
    assertThat(reply("/livez")).isEqualTo(new Reply.Text(503, TEXT, why));
    assertThat(reply("/readyz")).isEqualTo(new Reply.Text(503, TEXT, why));
  }

  @Test
  void serviceThatWasAskedToStop_livesAndIsNotReady() {
    FakeService service = new FakeService();
    probes.running(service);
    service.close();

    assertThat(reply("/livez").status()).isEqualTo(200);
    assertThat(reply("/readyz").status()).isEqualTo(503);
  }

  private Reply reply(String path) {
    return probes.pages().get(path).reply(PageRequest.of(path));
  }
}
