package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.TimeGauge;
import io.weir.Await;
import io.weir.edge.PublisherSettings;
import io.weir.edge.PublisherStatus;
import io.weir.edge.PublisherStatus.State;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.app.Keys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.Reply;
import io.weir.lab.chaos.FlakyLink;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgeWatchTest {
  @ParameterizedTest
  @CsvSource({
    "CONNECTING, '', 503, connecting",
    "PUBLISHING, '', 200, publishing",
    "RETRYING, no broker, 503, retrying: no broker",
    "HELD, 1 partition, 200, held: 1 partition",
    "REFUSED, FENCED, 503, refused: FENCED",
    "CLOSED, '', 503, closed"
  })
  void readiness_isThePublishersStatus(State state, String cause, int status, String text) {
    Reply.Text reply = EdgeWatch.readiness(new PublisherStatus(state, cause));

    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.text()).isEqualTo(text + "\n");
  }

  @Test
  void probePort_answersProbesAlone() throws Exception {
    int port = FlakyLink.freePort();
    Map<String, String> options =
        Map.of(Keys.HTTP_PROBE_PORT.name(), "" + port, Keys.HTTP_HOST.name(), "127.0.0.1");
    try (EdgeWatch watch = new EdgeWatch(WeirConfig.of(new Properties(), Map.of(), options))) {
      assertThat(status(port, "/livez")).isEqualTo(200);
      assertThat(status(port, "/readyz")).isEqualTo(503);
      assertThat(status(port, "/metrics")).isEqualTo(404);
      assertThat(watch.registry()).isNotNull();
    }
  }

  private static int status(int port, String path) throws Exception {
    URI page = URI.create("http://127.0.0.1:" + port + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void whileNoBrokerAnswers_theTimeSinceTheLastSuccessGrows() {
    WeirConfig config = WeirConfig.of(new Properties(), Map.of(), Map.of());
    PublisherSettings nobody =
        PublisherSettings.builder("line-7").bootstrapServers("localhost:1").build();
    try (EdgeWatch watch = new EdgeWatch(config);
        ReadingPublisher publisher = watch.start(nobody)) {
      TimeGauge age = watch.registry().get("weir.success.age").timeGauge();
      Await.until(() -> age.value(TimeUnit.MILLISECONDS) > 0);
      double before = age.value(TimeUnit.MILLISECONDS);
      Await.until(() -> age.value(TimeUnit.MILLISECONDS) > before);
      assertThat(publisher.status().isPublishing()).isFalse();
    }
  }
}
