package io.weir.internal.input.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Await;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class HttpServerTest {
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final HttpServer.Patience PATIENT = new HttpServer.Patience(LONG, LONG, LONG);
  private static final HttpServer.Patience SLOW = new HttpServer.Patience(LONG, SHORT, LONG);

  private final HttpService service = (head, cut) -> new Counting();
  private final AtomicInteger ended = new AtomicInteger();
  private volatile Error failure;
  private HttpServer server;

  @TempDir private Path dir;

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void slowBody_isCutOffWithoutAnAnswer() throws Exception {
    start(Optional.empty(), 10, SLOW);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket
          .getOutputStream()
          .write(
              "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1".getBytes(UTF_8));
      socket.getOutputStream().flush();

      assertThat(readToEnd(socket)).isEmpty();
      Await.until(() -> ended.get() == 1);
    }
  }

  @Test
  void slowHead_isCutOff() throws Exception {
    start(Optional.empty(), 10, new HttpServer.Patience(SHORT, LONG, LONG));
    try (Socket silent = connect();
        Socket begun = connect();
        Socket again = connect()) {
      assertThat(answered(again)).isTrue();
      send(begun, "POST / HTTP/1.1\r\nHost: loc");

      assertThat(readToEnd(silent)).isEmpty();
      assertThat(readToEnd(begun)).isEmpty();
      // A connection may be silent between two requests, and not within one.
      assertThat(answered(again)).isTrue();
      dripUntilClosed(again, "GET / HTTP/1.1\r\nx: ");
    }
  }

  @Test
  void bodyThatComesForTooLong_isCutOff() throws Exception {
    start(Optional.empty(), 10, new HttpServer.Patience(LONG, LONG, SHORT));
    try (Socket socket = connect()) {
      dripUntilClosed(
          socket, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n");
      Await.until(() -> ended.get() == 1);
    }
  }

  /** What is sent slowly, or not at all, keeps nobody out. */
  @Test
  void hundredsOfSlowSenders_leaveRoomForANeighbour() throws Exception {
    start(Optional.empty(), 100, PATIENT);
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < 400; i++) {
        Socket slow = connect();
        open.add(slow);
        try {
          send(slow, List.of("", "POST / HT", "GET / HTTP/1.1\r\n").get(i % 3));
        } catch (IOException e) {
          // It is closed already.
        }
      }
      for (int i = 0; i < 20; i++) {
        try (Socket neighbour = connect()) {
          assertThat(answered(neighbour)).isTrue();
        }
      }
    } finally {
      for (Socket each : open) {
        each.close();
      }
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    socket.getOutputStream().flush();
  }

  private static void dripUntilClosed(Socket socket, String begin) throws IOException {
    send(socket, begin);
    Await.until(
        () -> {
          try {
            send(socket, "x");
            return false;
          } catch (IOException e) {
            return true;
          }
        });
  }

  @Test
  void connectionsBeyondTheLimit_areClosed() throws Exception {
    start(Optional.empty(), 3, PATIENT);
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        open.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
        assertThat(answered(open.get(i))).isTrue();
      }
      try (Socket fourth = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        assertThat(readToEnd(fourth)).isEmpty();
      }
      assertThat(answered(open.get(0))).isTrue();
    } finally {
      for (Socket each : open) {
        each.close();
      }
    }
    Await.until(
        () -> {
          try (Socket again = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            return answered(again);
          } catch (IOException e) {
            return false;
          }
        });
  }

  /** Otherwise its place and its memory are missing for good. */
  @Test
  void error_endsItsTask_andIsAnswered() throws Exception {
    start(Optional.empty(), 10, PATIENT);
    failure = new StackOverflowError();
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port()))
                    .timeout(LONG)
                    .build(),
                HttpResponse.BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(ended).hasValue(1);
  }

  @Test
  void portThatIsTaken_isALine() throws Exception {
    start(Optional.empty(), 10, PATIENT);
    ListenSettings same =
        new ListenSettings(List.of("127.0.0.1:" + server.port()), Optional.empty(), 10, LONG);

    assertThatThrownBy(() -> HttpServer.start(same, service))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("weir.edge.listen: ")
        .hasMessageContaining(String.valueOf(server.port()));
  }

  @Test
  void certificate_isReadAgainWhenItChanges() throws Exception {
    KeyStore first = newCertificate("first");
    start(
        Optional.of(
            new ListenSettings.Tls(
                dir.resolve("cert.pem"), dir.resolve("key.pem"), Optional.empty())),
        10,
        PATIENT);
    assertThat(serial(first)).isEqualTo(serialOf(first));

    KeyStore second = newCertificate("second");
    Await.until(
        () -> {
          try {
            return serial(second).equals(serialOf(second));
          } catch (IOException e) {
            return false;
          }
        });
  }

  /** The serial number of the certificate that the server shows to one who trusts that store. */
  private BigInteger serial(KeyStore trusted) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    HttpResponse<String> answer =
        HttpClient.newBuilder()
            .sslContext(context)
            .build()
            .send(
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port())).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(204);
    return ((X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0])
        .getSerialNumber();
  }

  private static BigInteger serialOf(KeyStore store) throws Exception {
    return ((X509Certificate) store.getCertificate("weir")).getSerialNumber();
  }

  private KeyStore newCertificate(String name) throws Exception {
    Path store = dir.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "weir",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "secret")
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    char[] password = "secret".toCharArray();
    KeyStore loaded = KeyStore.getInstance(store.toFile(), password);
    pem("key.pem", "PRIVATE KEY", loaded.getKey("weir", password).getEncoded());
    pem("cert.pem", "CERTIFICATE", loaded.getCertificate("weir").getEncoded());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("weir", loaded.getCertificate("weir"));
    return trusted;
  }

  private void pem(String file, String kind, byte[] content) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        dir.resolve(file),
        "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
  }

  private void start(
      Optional<ListenSettings.Tls> tls, int maxConnections, HttpServer.Patience patience)
      throws IOException {
    server =
        HttpServer.start(
            new ListenSettings(List.of("127.0.0.1:0"), tls, maxConnections, LONG),
            service,
            patience,
            SHORT);
  }

  private static boolean answered(Socket socket) throws IOException {
    socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
    socket.getOutputStream().flush();
    StringBuilder head = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int b = in.read(); b >= 0; b = in.read()) {
      head.append((char) b);
      if (head.toString().endsWith("\r\n\r\n")) {
        return head.toString().startsWith("HTTP/1.1 204");
      }
    }
    return false;
  }

  /** What comes until the connection is closed, however it is closed. */
  private static String readToEnd(Socket socket) {
    StringBuilder read = new StringBuilder();
    try {
      InputStream in = socket.getInputStream();
      for (int b = in.read(); b >= 0; b = in.read()) {
        read.append((char) b);
      }
    } catch (IOException e) {
      return read.toString();
    }
    return read.toString();
  }

  private final class Counting implements HttpTask {
    @Override
    public HttpReply received(int bytes) {
      return null;
    }

    @Override
    public HttpReply take(int bytes) {
      return null;
    }

    @Override
    public void run(byte[] body, int length, Consumer<HttpReply> answer) {
      if (failure != null) {
        throw failure;
      }
      answer.accept(HttpReply.of(204));
    }

    @Override
    public void end() {
      ended.incrementAndGet();
    }
  }
}
