package io.weir.internal.topology;

import io.weir.reading.RejectReason;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The headers that a record of the late or the dead-letter topic has to have, by the documents. */
final class LetterHeaders {
  private LetterHeaders() {}

  /** Of a batch that is refused whole: those that it came with go on. */
  static List<String> ofBatch(
      ReadingBatch batch, long offset, Headers received, RejectReason reason) {
    List<String> expected = of(batch, offset, received);
    for (Header header : received) {
      boolean ours =
          header.key().startsWith("weir.") || header.key().startsWith("__streams.errors.");
      if (!ours) {
        expected.add(line(header));
      }
    }
    return sorted(expected, reasoned(reason));
  }

  /** Of readings that are rejected out of a batch. */
  static List<String> ofReadings(
      ReadingBatch batch, long offset, Headers received, RejectReason reason) {
    return sorted(of(batch, offset, received), reasoned(reason));
  }

  /** Of readings that are late, or withheld. */
  static List<String> ofLate(
      ReadingBatch batch, long offset, Headers received, boolean isWithheld, List<String> gaps) {
    List<String> expected = of(batch, offset, received);
    if (isWithheld) {
      expected.addAll(gaps);
      expected.add("weir.reason=WITHHELD");
      expected.add("__streams.errors.message=" + RejectReason.WITHHELD.meaning());
    }
    return sorted(expected, List.of());
  }

  /** Those that a record has, but for its life; the driver's topic has no id. */
  static List<String> in(DeadLetter letter) {
    return Arrays.stream(letter.headers().toArray())
        .filter(header -> !header.key().equals("weir.life"))
        .map(LetterHeaders::line)
        .sorted()
        .toList();
  }

  private static List<String> of(ReadingBatch batch, long offset, Headers received) {
    List<String> expected = new ArrayList<>();
    expected.add("__streams.errors.topic=weir.readings");
    expected.add("__streams.errors.partition=0");
    expected.add("weir.topic_id=" + Uuid.ZERO_UUID);
    expected.add("__streams.errors.offset=" + offset);
    expected.add("weir.gateway=" + batch.getGatewayId());
    if (batch.getBootId() != 0) {
      expected.add("weir.boot_id=" + Long.toUnsignedString(batch.getBootId()));
    }
    if (batch.getSequence() != 0) {
      expected.add("weir.sequence=" + Long.toUnsignedString(batch.getSequence()));
    }
    for (String part : List.of("topic", "partition", "offset")) {
      Header header = received.lastHeader("weir.redrive." + part);
      if (header != null) {
        expected.add(line(header));
      }
    }
    return expected;
  }

  private static List<String> reasoned(RejectReason reason) {
    return List.of(
        "__streams.errors.exception=io.weir.reading.RejectReason",
        "__streams.errors.message=" + reason.meaning(),
        "weir.reason=" + reason);
  }

  private static List<String> sorted(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).sorted().toList();
  }

  private static String line(Header header) {
    return header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8);
  }
}
