package io.weir.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.reading.Reading;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Weir's own publisher, started twice, with a broker that goes away in between. */
@Timeout(240)
class CheckRunTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int SENSORS = 40;
  private static final CheckPlan PLAN =
      new CheckPlan(0, Duration.ofSeconds(90), 0, 1, Duration.ofSeconds(4));

  @TempDir Path kept;

  private final CompletableFuture<String> address = new CompletableFuture<>();
  private final CountDownLatch away = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  @Test
  void ownPublisher_startedTwiceWithAnOutage_keepsEveryRule() throws Exception {
    CheckRun run = new CheckRun(PLAN, this::stopsWithin, new Signals());
    CompletableFuture<Boolean> gateway = CompletableFuture.supplyAsync(this::publish);
    GatewayCheck check;
    try {
      check = run.run();
    } finally {
      address.completeExceptionally(new IllegalStateException("the run is over"));
      away.countDown();
    }

    assertThat(gateway.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
        .describedAs("everything was acknowledged")
        .isTrue();
    assertThat(String.join("\n", CheckTable.of(check)))
        .doesNotContain("FAILED", "not seen")
        .contains("ok: no rule failed");
    assertThat(check.isPassed()).isTrue();
    assertThat(run.outages()).isEqualTo(1);
  }

  /** The second start sends what the first one left; whether all was acknowledged. */
  private boolean publish() {
    try {
      try (ReadingPublisher first = start()) {
        while (!away.await(20, TimeUnit.MILLISECONDS)) {
          offer(first);
        }
        first.close(Duration.ZERO);
      }
      try (ReadingPublisher second = start()) {
        for (int round = 0; round < 20; round++) {
          offer(second);
        }
        return second.flush(TIMEOUT);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      over.countDown();
    }
  }

  private ReadingPublisher start() {
    return ReadingPublisher.start(
        PublisherSettings.builder("gateway-7")
            .bootstrapServers(address.join())
            .keepIn(kept)
            .ordered(true)
            .build());
  }

  private static void offer(ReadingPublisher publisher) {
    for (int sensor = 0; sensor < SENSORS; sensor++) {
      publisher.offer(new Reading("sensor-" + sensor, System.currentTimeMillis(), 71.5));
    }
  }

  /** The check ends when the gateway has, not before. */
  private boolean stopsWithin(Duration timeout) {
    try {
      return over.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Signals implements CheckRun.Listener {
    @Override
    public void started(String bootstrapServers) {
      address.complete(bootstrapServers);
    }

    @Override
    public void outage(int number, Duration length) {
      away.countDown();
    }

    @Override
    public void back() {}
  }
}
