package io.weir.internal.imports;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.deadletter.SizeGuard;
import io.weir.internal.text.LineReason;
import io.weir.internal.text.RecordText;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;

/** Makes dead letters of records that were refused as a whole or in part. One thread. */
final class ImportDeadLetters {
  /** In place of positions: no reading of the record was found. */
  static final String ALL = "all";

  /** Of the headers of a record; of more, none is copied. */
  private static final int MAX_SENDER_HEADERS = 8192;

  /** Of the text of positions: those that are refused among good ones can be many. */
  private static final int MAX_POSITIONS = 8192;

  /** More than a record may have readings. */
  private static final int MAX_POSITION = 10_000_000;

  private final ImportSettings settings;
  private final SizeGuard guard;

  /**
   * @param maxRecordBytes {@code max.message.bytes} of the topic of dead letters
   */
  ImportDeadLetters(ImportSettings settings, int maxRecordBytes) {
    this.settings = settings;
    this.guard = new SizeGuard(maxRecordBytes);
  }

  /**
   * The dead letter of a record with readings that were refused.
   *
   * @param readings of the record, the good ones too
   */
  ProducerRecord<byte[], byte[]> of(
      ConsumerRecord<byte[], byte[]> record, List<RecordText.Refused> refused, int readings) {
    String positions = positions(refused, readings);
    return unchanged(record, nameOf(refused.get(0).reason()), positions, readings, "");
  }

  /** The dead letter of a record that was not read at all. */
  ProducerRecord<byte[], byte[]> ofUnread(ConsumerRecord<byte[], byte[]> record, String why) {
    return unchanged(record, "OVERSIZED_BATCH", ALL, 0, why);
  }

  /** The dead letter of a record that could not be decoded. */
  ProducerRecord<byte[], byte[]> of(
      ConsumerRecord<byte[], byte[]> record, UndecodableException why) {
    boolean malformed = why.reason() == RejectReason.UNDECODABLE;
    String reason = malformed ? "MALFORMED_RECORD" : why.reason().name();
    return unchanged(record, reason, ALL, 0, why.getMessage());
  }

  /** A dead letter with the positions and the number of readings as they are. */
  ProducerRecord<byte[], byte[]> unchanged(
      ConsumerRecord<byte[], byte[]> record,
      String reason,
      String positions,
      int readings,
      String why) {
    Headers headers =
        DeadLetterHeaders.of(new Origin(record.topic(), record.partition(), record.offset()));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, reason);
    DeadLetterHeaders.add(headers, DeadLetterHeaders.GATEWAY, settings.gatewayId());
    String shown = bounded(positions);
    headers.add(DeadLetterHeaders.IMPORT_REFUSED, shown.getBytes(StandardCharsets.US_ASCII));
    int ofSender = SizeGuard.lengthOf(record.headers());
    int key = record.key() == null ? 0 : record.key().length;
    int leftOut =
        positions.length()
            - shown.length()
            + Math.max(0, key - SizeGuard.MAX_KEY_BYTES)
            + (ofSender > MAX_SENDER_HEADERS ? ofSender : 0);
    if (leftOut > 0) {
      DeadLetterHeaders.add(headers, DeadLetterHeaders.IMPORT_LEFT_OUT, Integer.toString(leftOut));
    }
    DeadLetterHeaders.add(headers, DeadLetterHeaders.IMPORT_READINGS, Integer.toString(readings));
    boolean append = record.timestampType() == TimestampType.LOG_APPEND_TIME;
    String time = (append ? "append " : "") + record.timestamp();
    DeadLetterHeaders.add(headers, DeadLetterHeaders.IMPORT_TIME, time);
    if (!why.isEmpty()) {
      DeadLetterHeaders.add(headers, DeadLetterHeaders.MESSAGE, why);
    }
    for (Header header : record.headers()) {
      if (ofSender <= MAX_SENDER_HEADERS && !DeadLetterHeaders.isOurs(header.key())) {
        headers.add(header);
      }
    }
    SizeGuard.Fitting fitting = guard.fit(record.key(), record.value(), headers);
    return new ProducerRecord<>(
        settings.deadLetters(),
        record.partition() % SensorPartition.COUNT,
        null,
        fitting.key(),
        fitting.value(),
        headers);
  }

  /** The first of many positions. */
  private static String bounded(String positions) {
    return positions.length() <= MAX_POSITIONS
        ? positions
        : positions.substring(0, positions.lastIndexOf(',', MAX_POSITIONS));
  }

  private static String nameOf(LineReason reason) {
    return switch (reason) {
      case MALFORMED_LINE -> "MALFORMED_RECORD";
      case LINE_TOO_LONG -> "TOO_MANY_READINGS";
      default -> reason.name();
    };
  }

  /**
   * The positions of a text that {@link #positions} wrote.
   *
   * @throws NumberFormatException for another text
   */
  static BitSet positionsOf(String text) {
    if (text.length() > MAX_POSITIONS) {
      throw new NumberFormatException("too many positions");
    }
    BitSet positions = new BitSet();
    for (String range : text.split(",", -1)) {
      String[] ends = range.split("-", 2);
      int last = Integer.parseInt(ends[ends.length - 1]);
      int first = Integer.parseInt(ends[0]);
      if (first < 0 || last < first || last > MAX_POSITION) {
        throw new NumberFormatException(range);
      }
      positions.set(first, last + 1);
    }
    return positions;
  }

  /** The positions, with ranges: {@code 0,3-5}; {@code all} where no reading was found. */
  private static String positions(List<RecordText.Refused> refused, int readings) {
    LineReason first = refused.get(0).reason();
    boolean undecoded =
        first == LineReason.LINE_TOO_LONG
            || first == LineReason.TOO_MANY_COLUMNS
            || readings == 1
                && (first == LineReason.MALFORMED_LINE || first == LineReason.INVALID_UTF8)
                && refused.get(0).position() == 0;
    if (undecoded) {
      return ALL;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < refused.size(); i++) {
      int from = refused.get(i).position();
      int to = from;
      while (i + 1 < refused.size() && refused.get(i + 1).position() == to + 1) {
        i++;
        to++;
      }
      text.append(text.isEmpty() ? "" : ",").append(from).append(to > from ? "-" + to : "");
    }
    return text.toString();
  }
}
