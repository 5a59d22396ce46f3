package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {
  private static final String HOST = "127.0.0.1";

  private static final String LONG = "0123456789abcde\u00fc".repeat(1 << 15);

  private final HttpClient client = HttpClient.newHttpClient();
  private HttpEndpoint endpoint;

  @BeforeEach
  void start() throws IOException {
    Map<String, Page> pages =
        Map.of(
            "/yes", request -> Page.yesOrNo(true, "well \u00fc\n"),
            "/no", request -> Page.yesOrNo(false, "ill\n"),
            "/accept", request -> Page.yesOrNo(true, request.accept()),
            "/long", request -> Page.yesOrNo(true, LONG),
            "/echo", HttpEndpointTest::echo,
            "/tree/", request -> Page.yesOrNo(true, "tree " + request.path()),
            "/tree/branch/", request -> Page.yesOrNo(true, "branch " + request.path()),
            "/broken",
                request -> {
                  throw new IllegalStateException("the reason is for the log");
                });
    endpoint = HttpEndpoint.start(HOST, 0, pages);
  }

  private static Reply echo(PageRequest request) {
    String text = request.parameter("id").orElse("none") + "|" + request.parameter("n").orElse("-");
    return new Reply.Text(201, "text/html", text, Map.of("Content-Security-Policy", "none"));
  }

  @AfterEach
  void stop() {
    endpoint.close();
  }

  @Test
  void yesAndNo_areStatusesThatProbesKnow() throws Exception {
    HttpResponse<String> yes = get("/yes");
    assertThat(yes.statusCode()).isEqualTo(200);
    assertThat(yes.body()).isEqualTo("well \u00fc\n");
    assertThat(yes.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
    assertThat(get("/no").statusCode()).isEqualTo(503);
  }

  @Test
  void unknownPath_isNotFound_howeverMuchItBeginsLikeOne() throws Exception {
    for (String path : List.of("/", "/yes/more", "/yesterday", "/yes/", "/%2e%2e/yes", "//yes")) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(404);
    }
    assertThat(get("/yes?who=kubelet").statusCode()).isEqualTo(200);
  }

  @Test
  void head_isAnsweredAsGetWithoutTheBody() throws Exception {
    HttpResponse<String> head = send(request("/yes").method("HEAD", BodyPublishers.noBody()));

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(8);
    assertThat(head.body()).isEmpty();
  }

  @Test
  void otherMethods_areRefused() throws Exception {
    HttpResponse<String> post = send(request("/yes").POST(BodyPublishers.ofString("x")));

    assertThat(post.statusCode()).isEqualTo(405);
    assertThat(post.headers().firstValue("Allow")).hasValue("GET, HEAD");
  }

  @Test
  void whatTheClientAccepts_reachesThePageWhole() throws Exception {
    HttpResponse<String> page =
        send(request("/accept").header("Accept", "a/b;q=0.5").header("Accept", "c/d"));

    assertThat(page.body()).isEqualTo("a/b;q=0.5,c/d");
  }

  @Test
  void parameters_reachThePageDecoded_andItsStatusAndHeadersTheClient() throws Exception {
    HttpResponse<String> page = get("/echo?id=line%207%2Ftemp%C3%A9&n=1&n=2");
    assertThat(page.statusCode()).isEqualTo(201);
    assertThat(page.body()).isEqualTo("line 7/temp\u00e9|1");
    assertThat(page.headers().firstValue("Content-Security-Policy")).hasValue("none");
    assertThat(get("/echo").body()).isEqualTo("none|-");
    assertThat(get("/echo?id").body()).isEqualTo("|-");
    assertThat(get("/echo?&id=a=b&").body()).isEqualTo("a=b|-");
  }

  @Test
  void pathWithASlashAtItsEnd_answersBelowIt_theLongestFirst() throws Exception {
    assertThat(get("/tree/").body()).isEqualTo("tree /tree/");
    assertThat(get("/tree/leaf").body()).isEqualTo("tree /tree/leaf");
    assertThat(get("/tree/branch/a/b").body()).isEqualTo("branch /tree/branch/a/b");
    assertThat(get("/tree").statusCode()).isEqualTo(404);
  }

  @Test
  void longPage_reachesTheClientWhole() throws Exception {
    assertThat(get("/long").body()).isEqualTo(LONG);
  }

  @Test
  void brokenPage_saysSoAndNoMore() throws Exception {
    HttpResponse<String> broken = get("/broken");

    assertThat(broken.statusCode()).isEqualTo(500);
    assertThat(broken.body()).doesNotContain("reason");
  }

  /** More of them than there are threads: they are cut off, and the probe comes through. */
  @Test
  void clientsThatNeverFinishAsking_doNotKeepProbesOut() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 30; i++) {
        Socket socket = new Socket(HOST, endpoint.port());
        socket.getOutputStream().write("GET /yes HT".getBytes(StandardCharsets.US_ASCII));
        slow.add(socket);
      }
      assertThat(get("/yes").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  /** More than there may be connections at once: those that come later wait for the first ones. */
  @Test
  void connectionsThatSayNothing_areClosed() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        silent.add(new Socket(HOST, endpoint.port()));
      }
      assertThat(get("/yes").statusCode()).isEqualTo(200);
      for (Socket socket : silent) {
        socket.setSoTimeout(20_000);
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
      assertThat(get("/yes").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  /** More than a port has at once: whoever is left over is turned away, and only there. */
  @Test
  void flood_ofOnePort_leavesThePortOfTheProbesAlone() throws Exception {
    List<Socket> flood = new ArrayList<>();
    try (HttpEndpoint probes =
        HttpEndpoint.start(HOST, 0, Map.of("/livez", request -> Page.yesOrNo(true, "ok\n")))) {
      for (int i = 0; i < 1_100; i++) {
        flood.add(new Socket(HOST, endpoint.port()));
      }
      URI livez = URI.create("http://" + HOST + ":" + probes.port() + "/livez");
      for (int i = 0; i < 20; i++) {
        assertThat(send(HttpRequest.newBuilder(livez)).statusCode()).isEqualTo(200);
      }
    } finally {
      for (Socket socket : flood) {
        socket.close();
      }
    }
  }

  @Test
  void portInUse_failsAtOnce() {
    assertThatThrownBy(() -> HttpEndpoint.start(HOST, endpoint.port(), Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(HOST + ":" + endpoint.port());
  }

  @Test
  void unknownHost_failsAtOnce() {
    assertThatThrownBy(() -> HttpEndpoint.start("no host", 0, Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no host:0");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(request(path));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + endpoint.port() + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
