package io.weir.internal.serve;

import static io.weir.internal.serve.ServeFixture.NOW_MS;
import static io.weir.internal.serve.ServeFixture.SIZE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.internal.input.Clients;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.SensorState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Server-sent events: what comes, what is missed, and readers that do not read. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StreamsTest {
  private static final long START_MS = NOW_MS - 600_000;

  private final List<Stream> opened = new ArrayList<>();
  private ServeFixture serve;

  /** A connection that reads events; HTTP/1.0 has no chunks between them. */
  private static final class Stream implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;
    String id = "";

    Stream(int port, String path, String lastEventId, String token) throws IOException {
      socket = new Socket("127.0.0.1", port);
      String resume = lastEventId.isEmpty() ? "" : "Last-Event-ID: " + lastEventId + "\r\n";
      String bearer = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
      String request =
          "GET " + path + " HTTP/1.0\r\nHost: localhost\r\n" + resume + bearer + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    int status() throws IOException {
      return Integer.parseInt(in.readLine().split(" ")[1]);
    }

    /** Name and data of the next event. */
    String event() throws IOException {
      String name = "";
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
          if (name.isEmpty()) {
            return "id";
          }
        } else if (line.startsWith("data: ")) {
          return name + " " + line.substring(6);
        }
      }
      return "end";
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @AfterEach
  void stop() throws IOException {
    for (Stream stream : opened) {
      stream.close();
    }
    serve.close();
  }

  private Stream open(String path, String lastEventId) throws IOException {
    return open(path, lastEventId, "");
  }

  private Stream open(String path, String lastEventId, String token) throws IOException {
    Stream stream = new Stream(serve.port(), "/api/v1/stream?" + path, lastEventId, token);
    opened.add(stream);
    return stream;
  }

  private static long startOf(String event) {
    return Long.parseLong(event.replaceAll(".*\"window_start_ms\":(\\d+).*", "$1"));
  }

  @Test
  void sensor_getsItsRecordsAlone_asTheyCome() throws Exception {
    serve = new ServeFixture(Optional.empty(), 4);
    serve.window("a", START_MS, 1);
    Stream stream = open("id=a", "");
    assertThat(stream.status()).isEqualTo(200);
    assertThat(stream.event()).isEqualTo("id");
    serve.window("b", START_MS, 1);
    serve.window("a", START_MS + SIZE_MS, 1);
    serve.status("a", SensorState.SENSOR_STATE_SILENT);

    String window = stream.event();
    assertThat(window).startsWith("window {");
    assertThat(startOf(window)).isEqualTo(START_MS + SIZE_MS);
    assertThat(stream.id).startsWith("w" + SensorPartition.of("a") + ":1,");
    assertThat(stream.event()).startsWith("status {").contains("SENSOR_STATE_SILENT");
    assertThat(stream.id).startsWith("s" + SensorPartition.of("a") + ":0,");
  }

  /** Connections break at any place: every record comes once, in order, of both topics. */
  @Test
  void resumption_isExact() throws Exception {
    serve = new ServeFixture(Optional.empty(), 4);
    Stream stream = open("id=a", "");
    assertThat(stream.event()).isEqualTo("id");
    String id = stream.id;
    List<Long> starts = new ArrayList<>();
    int statuses = 0;
    for (int i = 0; i < 12; i++) {
      stream.close();
      serve.window("a", START_MS + 2 * i * SIZE_MS, 1);
      serve.status("a", SensorState.SENSOR_STATE_RESUMED);
      serve.window("a", START_MS + (2 * i + 1) * SIZE_MS, 1);
      Await.until(() -> serve.streams.open() == 0);
      stream = open("id=a", id);
      for (int events = i % 4; events > 0; ) {
        String event = stream.event();
        if (event.startsWith("window")) {
          starts.add(startOf(event));
        } else if (event.startsWith("status")) {
          statuses++;
        }
        events -= event.equals("id") ? 0 : 1;
        id = stream.id;
      }
    }
    while (starts.size() < 24 || statuses < 12) {
      String event = stream.event();
      if (event.startsWith("window")) {
        starts.add(startOf(event));
      } else if (event.startsWith("status")) {
        statuses++;
      }
    }
    List<Long> expected = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      expected.add(START_MS + i * SIZE_MS);
    }
    assertThat(starts).isEqualTo(expected);
    assertThat(statuses).isEqualTo(12);
  }

  @Test
  void recordsThatAreGone_areAGap() throws Exception {
    serve = new ServeFixture(Optional.empty(), 4);
    serve.memory.begin(Topic.WINDOWS, SensorPartition.of("a"), 100, false);
    Stream stream = open("id=a", "w" + SensorPartition.of("a") + ":40");
    String event = stream.event();
    assertThat(event).isEqualTo("gap {\"topic\":\"windows\",\"from\":41,\"next\":100}");
  }

  @Test
  void idsOfOtherStreams_areRefused() throws Exception {
    serve = new ServeFixture(Optional.empty(), 4);
    for (String id : List.of("x1:2", "w63000:1", "w0:1;drop", "w99999999999:1", "w1:")) {
      assertThat(open("id=a", id).status()).as(id).isEqualTo(400);
    }
  }

  @Test
  void view_isWholeAtFirst_andAgainWhenItChanges() throws Exception {
    serve = new ServeFixture(Optional.empty(), 4);
    Stream stream = open("view=sensors&prefix=a", "");
    assertThat(stream.event()).startsWith("snapshot {").contains("\"total\":0");
    serve.window("a1", START_MS, 1);
    assertThat(stream.event()).startsWith("delta {").contains("\"total\":1");
  }

  @Test
  void streams_areLimited_andFreeAgain() throws Exception {
    serve = new ServeFixture(Optional.empty(), 300);
    for (int i = 0; i < EventStreams.A_CLIENT; i++) {
      assertThat(open("id=a", "").status()).isEqualTo(200);
    }
    assertThat(open("id=a", "").status()).isEqualTo(503);
    opened.get(0).close();
    Await.until(
        () -> {
          serve.window("a", START_MS, 1); // A write finds out that the reader has gone.
          return serve.streams.open() < EventStreams.A_CLIENT;
        });
    assertThat(open("id=a", "").status()).isEqualTo(200);
  }

  @Test
  void manyClients_haveTheirStreams_upToTheLimit(@TempDir Path folder) throws Exception {
    StringBuilder clients = new StringBuilder("clients:\n");
    for (int i = 0; i < 33; i++) {
      clients.append("  - name: c%d\n    token-sha256: %s\n".formatted(i, Clients.hash("t" + i)));
    }
    Path file = Files.writeString(folder.resolve("clients.yaml"), clients);
    serve = new ServeFixture(Optional.of(file), 256);
    for (int i = 0; i < 256; i++) {
      assertThat(open("id=a", "", "t" + i / EventStreams.A_CLIENT).event()).isEqualTo("id");
    }
    assertThat(open("id=a", "", "t32").status()).isEqualTo(503);
    assertThat(serve.streams.open()).isEqualTo(256);
    serve.window("a", START_MS, 1);
    for (Stream stream : opened.subList(0, 256)) {
      assertThat(startOf(stream.event())).isEqualTo(START_MS);
    }
  }

  /** A reader that does not read is cut off; the others and the memory do not notice. */
  @Test
  void slowReader_isCutOff_andOthersGetAll() throws Exception {
    serve = new ServeFixture(Optional.empty(), 4);
    Stream slow = open("id=a", "");
    assertThat(slow.status()).isEqualTo(200);
    Stream reader = open("id=b", "");
    assertThat(reader.event()).isEqualTo("id");
    for (int i = 0; i < 60_000; i++) {
      serve.window("a", START_MS + i, 1);
    }
    serve.window("b", START_MS, 1);
    assertThat(startOf(reader.event())).isEqualTo(START_MS);
    Await.until(() -> serve.streams.open() == 1);
  }
}
