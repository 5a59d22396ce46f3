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
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Makes dead letters of records that were refused as a whole or in part. One thread. */
final class ImportDeadLetters {
  private final ImportSettings settings;
  private final SizeGuard guard;

  /**
   * @param maxRecordBytes {@code max.message.bytes} of the topic of dead letters
   */
  ImportDeadLetters(ImportSettings settings, int maxRecordBytes) {
    this.settings = settings;
    this.guard = new SizeGuard(maxRecordBytes);
  }

  ProducerRecord<byte[], byte[]> of(
      ConsumerRecord<byte[], byte[]> record, List<RecordText.Refused> refused) {
    return of(record, nameOf(refused.get(0).reason()), positions(refused), "");
  }

  /** The dead letter of a record that was not read at all. */
  ProducerRecord<byte[], byte[]> ofUnread(ConsumerRecord<byte[], byte[]> record, String why) {
    return of(record, "OVERSIZED_BATCH", "all", why);
  }

  /** The dead letter of a record that could not be decoded. */
  ProducerRecord<byte[], byte[]> of(
      ConsumerRecord<byte[], byte[]> record, UndecodableException why) {
    boolean malformed = why.reason() == RejectReason.UNDECODABLE;
    return of(
        record, malformed ? "MALFORMED_RECORD" : why.reason().name(), "all", why.getMessage());
  }

  private ProducerRecord<byte[], byte[]> of(
      ConsumerRecord<byte[], byte[]> record, String reason, String positions, String why) {
    Headers headers =
        DeadLetterHeaders.of(new Origin(record.topic(), record.partition(), record.offset()));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, reason);
    DeadLetterHeaders.add(headers, DeadLetterHeaders.GATEWAY, settings.gatewayId());
    headers.add(DeadLetterHeaders.IMPORT_REFUSED, positions.getBytes(StandardCharsets.US_ASCII));
    if (!why.isEmpty()) {
      DeadLetterHeaders.add(headers, DeadLetterHeaders.MESSAGE, why);
    }
    for (Header header : record.headers()) {
      if (!DeadLetterHeaders.isOurs(header.key())) {
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

  private static String nameOf(LineReason reason) {
    return switch (reason) {
      case MALFORMED_LINE -> "MALFORMED_RECORD";
      case LINE_TOO_LONG -> "TOO_MANY_READINGS";
      default -> reason.name();
    };
  }

  /** The positions, with ranges: {@code 0,3-5}; {@code all} where no reading was found. */
  private static String positions(List<RecordText.Refused> refused) {
    LineReason first = refused.get(0).reason();
    boolean undecoded =
        first == LineReason.LINE_TOO_LONG
            || refused.size() == 1
                && (first == LineReason.MALFORMED_LINE || first == LineReason.INVALID_UTF8)
                && refused.get(0).position() == 0;
    if (undecoded) {
      return "all";
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
