package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.Event;
import io.weir.v1.Value;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code weir send events} reads and sends. */
class EventLinesTest {
  private static final String LINE =
      "{\"key\":\"account_1\",\"subject\":\"post_1\",\"type\":\"metrics\","
          + "\"timestamp_ms\":1700000000000,\"fields\":{\"likes\":10,\"ratio\":0.5,\"ok\":true,"
          + "\"none\":null,\"text\":\"ä\",\"large\":18446744073709551616}}";

  @TempDir private Path dir;
  private final List<Event> events = new ArrayList<>();
  private final List<String> printed = new ArrayList<>();

  private long read(Path file, Path rejects) throws IOException {
    try (EventLines lines = EventLines.open(Optional.of(rejects), printed::add)) {
      lines.read(file, events::add);
      return lines.rejected();
    }
  }

  @Test
  void line_isAnEvent_valuesByTheirKind() throws IOException {
    Path file = Files.writeString(dir.resolve("events.jsonl"), "\ufeff" + LINE + "\r\n\n");
    assertThat(read(file, dir.resolve("rejects"))).isZero();
    assertThat(events)
        .containsExactly(
            Event.newBuilder()
                .setKey("account_1")
                .setSubject("post_1")
                .setType("metrics")
                .setTimestampMs(1_700_000_000_000L)
                .putFields("likes", Value.newBuilder().setInt64Value(10).build())
                .putFields("ratio", Value.newBuilder().setDoubleValue(0.5).build())
                .putFields("ok", Value.newBuilder().setBoolValue(true).build())
                .putFields("none", Value.newBuilder().setNullValue(true).build())
                .putFields("text", Value.newBuilder().setStringValue("ä").build())
                .putFields("large", Value.newBuilder().setDoubleValue(0x1p64).build())
                .build());
  }

  @Test
  void compressedFile_withoutALastLineEnd_isReadToItsEnd() throws IOException {
    Path file = dir.resolve("events.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((LINE + "\n" + LINE).getBytes(StandardCharsets.UTF_8));
    }
    read(file, dir.resolve("rejects"));
    assertThat(events).hasSize(2);
  }

  @Test
  void badLines_areRejectedWithTheirReasons_andTheRestIsRead() throws IOException {
    String text =
        String.join(
            "\n",
            "nonsense",
            "{\"timestamp_ms\":1}",
            "{\"key\":\"k\"}",
            "{\"key\":\"k\",\"due_ms\":5,\"every_ms\":5}",
            "{\"key\":\"k\",\"colour\":\"red\",\"timestamp_ms\":1}",
            "{\"key\":\"k\",\"timestamp_ms\":1,\"fields\":{\"a\":{}}}",
            "{\"key\":\"k\",\"timestamp_ms\":1} {}",
            "{\"key\":\"k\",\"timestamp_ms\":1}");
    Path rejects = dir.resolve("rejects");
    assertThat(read(Files.writeString(dir.resolve("f"), text), rejects)).isEqualTo(7);
    assertThat(events).hasSize(1);
    assertThat(Files.readAllLines(rejects))
        .extracting(line -> line.split(",\"")[0])
        .containsExactly(
            "line_no,reason,line",
            "1,MALFORMED_LINE",
            "2,MISSING_KEY",
            "3,INVALID_TIMESTAMP",
            "4,INVALID_EVERY",
            "5,UNKNOWN_FIELD",
            "6,MALFORMED_LINE",
            "7,MALFORMED_LINE");
    assertThat(printed)
        .hasSize(5)
        .contains(
            "line 2: MISSING_KEY: key is empty", "line 5: UNKNOWN_FIELD: no such field: colour");
  }

  /** Each would otherwise become a question mark, and different keys one. */
  @Test
  void halfASurrogatePair_whichUtf8CannotWrite_isRejected() throws IOException {
    String text =
        String.join(
            "\n",
            "{\"key\":\"\\ud800\",\"timestamp_ms\":1}",
            "{\"key\":\"k\",\"id\":\"\\udc00\",\"due_ms\":1}",
            "{\"key\":\"k\",\"timestamp_ms\":1,\"fields\":{\"\\ud800\":1}}",
            "{\"key\":\"k\",\"timestamp_ms\":1,\"fields\":{\"a\":\"\\ud800x\"}}",
            "{\"key\":\"\\ud83d\\ude00\",\"timestamp_ms\":1}");
    Path file = Files.writeString(dir.resolve("f"), text);
    assertThat(read(file, dir.resolve("rejects"))).isEqualTo(4);
    assertThat(events).extracting(Event::getKey).containsExactly("\ud83d\ude00");
  }
}
