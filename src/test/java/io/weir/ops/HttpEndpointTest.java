package io.weir.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {
  private final AtomicReference<State> state = new AtomicReference<>(State.REBALANCING);
  private final CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
  private HttpEndpoint endpoint;

  @BeforeEach
  void start() throws IOException {
    endpoint = HttpEndpoint.start(0, new Health(state::get, ended), () -> "weir_sensors 7\n");
  }

  @AfterEach
  void stop() {
    endpoint.close();
  }

  @Test
  void application_withoutItsPartitions_livesButIsNotReady() throws Exception {
    assertThat(get("/livez").statusCode()).isEqualTo(200);
    assertThat(get("/readyz").statusCode()).isEqualTo(503);
    assertThat(get("/readyz").body()).isEqualTo("REBALANCING\n");

    state.set(State.RUNNING);
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void applicationThatMustEnd_neitherLivesNorIsReady_andSaysWhy() throws Exception {
    state.set(State.ERROR);
    ended.complete(Optional.of("state was lost"));

    assertThat(get("/livez").statusCode()).isEqualTo(503);
    assertThat(get("/livez").body()).contains("state was lost");
    assertThat(get("/readyz").statusCode()).isEqualTo(503);
  }

  @Test
  void metrics_areShownAsTheyAre_andNothingElseIs() throws Exception {
    assertThat(get("/metrics").body()).isEqualTo("weir_sensors 7\n");
    assertThat(get("/metrics").headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
    assertThat(get("/metrics/more").statusCode()).isEqualTo(404);
    assertThat(get("/").statusCode()).isEqualTo(404);
  }

  @Test
  void portThatIsTaken_isToldAtOnce() {
    assertThatThrownBy(
            () -> HttpEndpoint.start(endpoint.port(), new Health(state::get, ended), () -> ""))
        .isInstanceOf(IOException.class);
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }
}
