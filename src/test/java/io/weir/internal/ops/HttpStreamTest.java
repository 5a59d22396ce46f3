package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that go on, and clients that do not read theirs. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class HttpStreamTest {
  private static final String HOST = "127.0.0.1";
  private static final long LIMIT_MS = 200;

  /** More than the buffers between server and client hold. */
  private static final String LONG = "0123456789abcdef".repeat(1 << 20);

  private final HttpClient client = HttpClient.newHttpClient();
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> flood = new CompletableFuture<>();
  private final CompletableFuture<Void> beginOfWait = new CompletableFuture<>();
  private final CompletableFuture<Void> endOfWait = new CompletableFuture<>();
  private final List<Socket> sockets = new ArrayList<>();
  private HttpEndpoint endpoint;

  @BeforeEach
  void start() throws IOException {
    Map<String, Page> pages =
        Map.of(
            "/lines", request -> stream(this::writeLines),
            "/flood", request -> stream(this::writeForever),
            "/wait", request -> stream(this::waitForever),
            "/long", request -> Page.yesOrNo(true, LONG),
            "/short", request -> Page.yesOrNo(true, "ok"));
    endpoint = HttpEndpoint.start(HOST, 0, pages, LIMIT_MS);
  }

  @AfterEach
  void stop() throws IOException {
    endpoint.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private static Reply stream(Reply.Writer writer) {
    return new Reply.Stream("text/event-stream", Map.of("Cache-Control", "no-store"), writer);
  }

  /** What the test puts there, until it is empty. */
  private void writeLines(OutputStream out) throws IOException, InterruptedException {
    for (String line = lines.take(); !line.isEmpty(); line = lines.take()) {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  private void writeForever(OutputStream out) throws IOException {
    byte[] chunk = new byte[1 << 16];
    try {
      while (true) {
        out.write(chunk);
      }
    } catch (IOException e) {
      flood.completeExceptionally(e);
      throw e;
    }
  }

  private void waitForever(OutputStream out) throws InterruptedException {
    beginOfWait.complete(null);
    try {
      new CompletableFuture<Void>().get();
    } catch (InterruptedException e) {
      endOfWait.complete(null);
      throw e;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A client that asks and reads nothing. */
  private void askAndDoNotRead(String path) throws IOException {
    Socket socket = new Socket(HOST, endpoint.port());
    sockets.add(socket);
    String request = "GET " + path + " HTTP/1.1\r\nHost: " + HOST + "\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + endpoint.port() + path));
  }

  private BufferedReader open(String path) throws Exception {
    var response = client.send(request(path).build(), BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  @Test
  void stream_reachesTheClientLineByLine_andEnds() throws Exception {
    try (BufferedReader reader = open("/lines")) {
      for (String line : List.of("one", "two", "three")) {
        lines.add(line);
        assertThat(reader.readLine()).isEqualTo(line);
      }
      lines.add("");
      assertThat(reader.readLine()).isNull();
    }
  }

  /** The other client is cut off after the limit: so much time has passed. */
  @Test
  void clientThatDoesNotRead_isCutOff_andAStreamThatIsSilentForAsLong_isNot() throws Exception {
    try (BufferedReader reader = open("/lines")) {
      lines.add("before");
      assertThat(reader.readLine()).isEqualTo("before");

      askAndDoNotRead("/flood");
      assertThatThrownBy(flood::get).hasRootCauseInstanceOf(IOException.class);

      lines.add("after");
      assertThat(reader.readLine()).isEqualTo("after");
      lines.add("");
      assertThat(reader.readLine()).isNull();
    }
  }

  /** More of them than there are threads. */
  @Test
  void clientsThatDoNotReadAnOrdinaryPage_doNotKeepProbesOut() throws Exception {
    for (int i = 0; i < 12; i++) {
      askAndDoNotRead("/long");
    }
    assertThat(client.send(request("/short").build(), BodyHandlers.ofString()).body())
        .isEqualTo("ok");
  }

  @Test
  void head_ofAStream_hasItsHeaders_andEndsAtOnce() throws Exception {
    HttpResponse<String> head =
        client.send(
            request("/lines").method("HEAD", BodyPublishers.noBody()).build(),
            BodyHandlers.ofString());
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("Content-Type")).hasValue("text/event-stream");
    assertThat(head.headers().firstValue("Cache-Control")).hasValue("no-store");
  }

  @Test
  void streamsBeyondTheLimit_getRetryAfter_andProbesAreAnswered() throws Exception {
    List<BufferedReader> open = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      open.add(open("/lines"));
    }
    var one = client.send(request("/lines").build(), BodyHandlers.ofString());
    assertThat(one.statusCode()).isEqualTo(503);
    assertThat(one.headers().firstValue("Retry-After")).isPresent();
    assertThat(client.send(request("/short").build(), BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
    for (BufferedReader reader : open) {
      lines.add("");
    }
    for (BufferedReader reader : open) {
      assertThat(reader.readLine()).isNull();
      reader.close();
    }
  }

  @Test
  void close_endsStreamsThatWait() throws Exception {
    BufferedReader reader = open("/wait");
    // The client has its headers before the page is asked to write.
    beginOfWait.get();
    endpoint.close();
    endOfWait.get();
    reader.close();
  }
}
