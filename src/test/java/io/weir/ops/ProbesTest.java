package io.weir.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.Test;

class ProbesTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Probes probes = new Probes();

  ProbesTest() {
    probes.bindTo(registry);
  }

  @Test
  void start_livesButIsNotReady_andSaysWhatIsWaitedFor() {
    probes.waiting("no answer from Kafka at kafka:9092");

    assertThat(probes.pages().get("/livez").reply("").status()).isEqualTo(200);
    Page.Reply ready = probes.pages().get("/readyz").reply("");
    assertThat(ready.status()).isEqualTo(503);
    assertThat(ready.text())
        .isEqualTo("STARTING, waiting for: no answer from Kafka at kafka:9092\n");
    assertThat(registry.get("weir.ready").gauge().value()).isZero();
  }

  @Test
  void runningApplication_speaksForItself() {
    probes.running(
        new Health(
            () -> State.RUNNING,
            () -> false,
            Optional::empty,
            new CompletableFuture<>(),
            Duration.ZERO,
            () -> 0));

    assertThat(probes.pages().get("/readyz").reply("").text()).isEqualTo("RUNNING\n");
    assertThat(registry.get("weir.ready").gauge().value()).isEqualTo(1);
  }
}
