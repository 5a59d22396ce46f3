package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FlakyLinkTest {
  private static final int SOON_MS = 200;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private ServerSocket echo;
  private FlakyLink link;

  @BeforeEach
  void start() throws IOException {
    echo = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread server = new Thread(this::serve);
    server.setDaemon(true);
    server.start();
    link = FlakyLink.to(echo.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    link.close();
    echo.close();
  }

  private void serve() {
    try {
      while (true) {
        Socket client = echo.accept();
        Thread thread =
            new Thread(
                () -> {
                  try (client) {
                    client.getInputStream().transferTo(client.getOutputStream());
                  } catch (IOException e) {
                    // The link broke it.
                  }
                });
        thread.setDaemon(true);
        thread.start();
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Test
  void whole_passesBothWays() throws IOException {
    try (Socket client = connect()) {
      assertThat(said(client, 7)).isEqualTo(7);
    }
  }

  @Test
  void cut_breaksConnections_andTakesNoneUntilHealed() throws IOException {
    try (Socket client = connect()) {
      assertThat(said(client, 1)).isEqualTo(1);
      link.cut();
      assertThat(isBroken(client)).isTrue();
    }
    try (Socket refused = connect()) {
      assertThat(isBroken(refused)).isTrue();
    }
    link.heal();
    try (Socket again = connect()) {
      assertThat(said(again, 2)).isEqualTo(2);
    }
  }

  @Test
  void swallow_saysNothing_letsNewOnesPass_andBreaksTheOldOnesWhenHealed() throws IOException {
    try (Socket held = connect();
        Socket other = new Socket()) {
      assertThat(said(held, 1)).isEqualTo(1);
      link.swallow();
      held.getOutputStream().write(2);
      held.setSoTimeout(SOON_MS);
      assertThatThrownBy(() -> held.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      other.connect(address());
      assertThat(said(other, 3)).isEqualTo(3);
      link.heal();
      assertThat(isBroken(held)).isTrue();
    }
  }

  @Test
  void delay_isWhatAnAnswerTakesAtTheLeast() throws IOException {
    try (Socket client = connect()) {
      link.delay(SOON_MS);
      long startNanos = System.nanoTime();
      assertThat(said(client, 9)).isEqualTo(9);
      assertThat(System.nanoTime() - startNanos).isGreaterThanOrEqualTo(2L * SOON_MS * 1_000_000);
    }
  }

  private java.net.InetSocketAddress address() {
    return new java.net.InetSocketAddress("127.0.0.1", link.port());
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(address());
    socket.setSoTimeout((int) TIMEOUT.toMillis());
    return socket;
  }

  private static int said(Socket socket, int word) throws IOException {
    socket.getOutputStream().write(word);
    return socket.getInputStream().read();
  }

  private static boolean isBroken(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
