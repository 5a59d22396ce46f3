package io.weir.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.input.Clients;
import io.weir.reading.RejectReason;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may read, what every answer has, and the files of the page. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SiteTest {
  private static final Path WEB = Path.of("src/main/resources/web");
  private static final String OVERVIEW = "/api/v1/overview";

  @TempDir private Path folder;
  private ServeFixture serve;

  @AfterEach
  void stop() {
    if (serve != null) {
      serve.close();
    }
  }

  private void startOpen() throws IOException {
    serve = new ServeFixture(Optional.empty(), 4);
  }

  private void startClosed() throws IOException {
    Path file = folder.resolve("clients.yaml");
    Files.writeString(
        file,
        "clients:\n  - name: control-room\n    token-sha256: " + Clients.hash("s3cret") + "\n");
    serve = new ServeFixture(Optional.of(file), 4);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/,200",
    "GET,/api/v1/overview,200",
    "GET,/nothing,404",
    "DELETE,/api/v1/sensors,405",
    "POST,/api/v1/sensors,405",
    "GET,/login,405",
    "GET,/api/v1/sensor,400"
  })
  void everyAnswer_hasTheSecurityHeaders(String method, String path, int status) throws Exception {
    startOpen();
    HttpResponse<String> response = serve.send(method, path, "");

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(response.headers().firstValue("Referrer-Policy")).contains("no-referrer");
    assertThat(response.headers().firstValue("Cross-Origin-Opener-Policy")).contains("same-origin");
    assertThat(response.headers().firstValue("Cross-Origin-Resource-Policy"))
        .contains("same-origin");
    assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
  }

  @Test
  void head_hasNoBody_andOtherMediaTypesAreNotAcceptable() throws Exception {
    startOpen();
    assertThat(serve.send("HEAD", OVERVIEW, "").body()).isEmpty();
    assertThat(serve.get(OVERVIEW, "Accept", "text/html").statusCode()).isEqualTo(406);
    assertThat(serve.get(OVERVIEW, "Accept", "application/*").statusCode()).isEqualTo(200);
  }

  @Test
  void longQueriesAndBodies_areRefused() throws Exception {
    startOpen();
    assertThat(serve.get("/api/v1/sensors?q=" + "a".repeat(9_000)).statusCode()).isEqualTo(414);
    assertThat(serve.send("POST", "/login", "token=" + "a".repeat(5_000)).statusCode())
        .isEqualTo(413);
  }

  /** A name of an attacker that is resolved to this machine. */
  @ParameterizedTest
  @CsvSource({
    "localhost,200",
    "localhost:8088,200",
    "127.0.0.1,200",
    "[::1]:80,200",
    "evil.example,403",
    "127.0.0.1.evil.example,403",
    "localhost.evil.example:80,403",
    "'',403"
  })
  void withoutClientsFile_theHostIsChecked(String host, int status) throws Exception {
    startOpen();
    assertThat(statusOf("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
        .isEqualTo(status);
  }

  private int statusOf(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", serve.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      String answer =
          new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
      return Integer.parseInt(answer.substring(9));
    }
  }

  @Test
  void tokenAndCookie_giveAccess_nothingElseDoes() throws Exception {
    startClosed();
    assertThat(serve.get("/").statusCode()).isEqualTo(200);
    HttpResponse<String> none = serve.get(OVERVIEW);
    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(serve.get(OVERVIEW, "Authorization", "Bearer s3cret").statusCode()).isEqualTo(200);
    assertThat(serve.get(OVERVIEW, "Authorization", "Bearer other").statusCode()).isEqualTo(401);

    HttpResponse<String> login = serve.send("POST", "/login", "token=s3cret");
    assertThat(login.statusCode()).isEqualTo(303);
    String cookie = login.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie)
        .startsWith("__Host-weir=")
        .contains("Path=/", "HttpOnly", "Secure", "SameSite=Strict");
    String pair = cookie.substring(0, cookie.indexOf(';'));
    assertThat(serve.get(OVERVIEW, "Cookie", "a=b; " + pair).statusCode()).isEqualTo(200);
    String forged = pair.substring(0, pair.length() - 1) + (pair.endsWith("A") ? "B" : "A");
    assertThat(serve.get(OVERVIEW, "Cookie", forged.replace("=Y", "=Z")).statusCode())
        .isEqualTo(401);
    serve.nowMs.addAndGet(TimeUnit.HOURS.toMillis(12) + 1_000);
    assertThat(serve.get(OVERVIEW, "Cookie", pair).statusCode()).isEqualTo(401);
    assertThat(serve.send("POST", "/logout", "").headers().firstValue("Set-Cookie").orElseThrow())
        .contains("Max-Age=0");
  }

  @Test
  void formsOfOtherPages_areRefused() throws Exception {
    startClosed();
    assertThat(serve.send("POST", "/login", "token=s3cret", "Origin", "https://evil").statusCode())
        .isEqualTo(403);
  }

  @Test
  void afterTenWrongTokens_noneIsTakenForAMinute() throws Exception {
    startClosed();
    String cookie =
        serve
            .send("POST", "/login", "token=s3cret")
            .headers()
            .firstValue("Set-Cookie")
            .orElseThrow();
    for (int i = 0; i < 10; i++) {
      assertThat(serve.send("POST", "/login", "token=" + i).statusCode()).isEqualTo(401);
    }
    assertThat(serve.send("POST", "/login", "token=s3cret").statusCode()).isEqualTo(403);
    assertThat(serve.get(OVERVIEW, "Authorization", "Bearer s3cret").statusCode()).isEqualTo(403);
    // Behind a proxy all have one address: whoever has logged in is not shut out.
    assertThat(serve.get(OVERVIEW, "Cookie", cookie.substring(0, cookie.indexOf(';'))).statusCode())
        .isEqualTo(200);
    serve.nowMs.addAndGet(60_001);
    assertThat(serve.send("POST", "/login", "token=s3cret").statusCode()).isEqualTo(303);
  }

  @Test
  void page_namesItsFiles_whichMayBeKept() throws Exception {
    startOpen();
    String html = serve.get("/").body();
    Matcher asset = Pattern.compile("\"(/assets/[^\"]+)\"").matcher(html);
    int assets = 0;
    while (asset.find()) {
      HttpResponse<String> file = serve.get(asset.group(1), "Accept-Encoding", "gzip");
      assertThat(file.statusCode()).isEqualTo(200);
      assertThat(file.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
      assertThat(file.headers().firstValue("Content-Encoding")).contains("gzip");
      assets++;
    }
    assertThat(assets).isEqualTo(3);
    assertThat(html).doesNotContain("@REVISION@");
  }

  @Test
  void requests_areCountedByPathAndStatus() throws Exception {
    startOpen();
    serve.get(OVERVIEW);
    serve.get("/%3Cscript%3E");
    assertThat(
            serve
                .registry
                .get("weir.serve.requests")
                .tags("path", "overview", "status", "200")
                .counter()
                .count())
        .isEqualTo(1);
  }

  /** Text of outsiders never becomes markup or code; nothing comes from elsewhere. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "DOMParser",
        "srcdoc",
        "javascript:"
      })
  void scripts_neverParseMarkup(String forbidden) throws IOException {
    try (Stream<Path> files = Files.list(WEB)) {
      for (Path file : files.toList()) {
        assertThat(Files.readString(file)).as(file.toString()).doesNotContain(forbidden);
      }
    }
  }

  @Test
  void files_askNoOtherHost_andHaveNoInlineCode() throws IOException {
    try (Stream<Path> files = Files.list(WEB)) {
      for (Path file : files.toList()) {
        String text = Files.readString(file).replace("http://www.w3.org/2000/svg", "");
        assertThat(text).as(file.toString()).doesNotContain("http:", "https:", "//cdn");
      }
    }
    assertThat(Files.readString(WEB.resolve("index.html")))
        .doesNotContain("style=", "onclick", "onload", "<style")
        .doesNotContainPattern("<script(?![^>]*src=)");
  }

  @Test
  void everyReason_hasACure() throws IOException {
    String views = Files.readString(WEB.resolve("views.js"));
    List<String> without =
        Stream.of(RejectReason.values())
            .map(Enum::name)
            .filter(reason -> !views.contains("\n  " + reason + ": '"))
            .toList();
    assertThat(without).isEmpty();
  }

  @Test
  void page_isSmall() throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(WEB)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    assertThat(bytes).isLessThan(150_000);
  }
}
