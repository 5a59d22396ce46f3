package io.weir.internal.imports;

import io.weir.internal.registry.RegistryException;
import io.weir.internal.text.LineReason;
import io.weir.internal.text.RecordText;
import io.weir.internal.wire.BatchEncoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Reading;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Utils;

/** Reads the readings of records, in any format. Holds those of the last record; one thread. */
public final class RecordReader {
  /** Most bytes of the readings of a record: they are in one transaction. */
  private static final long MAX_BYTES = 13 << 20;

  private static final List<RecordText.Refused> TOO_LARGE =
      List.of(new RecordText.Refused(0, LineReason.LINE_TOO_LONG));

  private final Function<byte[], Way> ways;
  private final Optional<String> timeHeader;
  private final boolean anyRecordTime;
  private RecordText text;
  private long bytes;

  /**
   * @param decoder of records that are no text
   */
  public record Way(RecordText text, Optional<RecordDecoder> decoder) {}

  /**
   * @param ways how each value is read
   * @param timeHeader header with the time of a record, in place of its own
   * @param anyRecordTime whether the time at which the broker received a record is one too
   */
  public RecordReader(
      Function<byte[], Way> ways, Optional<String> timeHeader, boolean anyRecordTime) {
    this.ways = ways;
    this.timeHeader = timeHeader;
    this.anyRecordTime = anyRecordTime;
  }

  /**
   * Gets what reading the record needs from elsewhere.
   *
   * @throws RegistryException if a registry gave no answer
   */
  void prepare(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() != null) {
      ways.apply(record.value()).decoder().ifPresent(each -> each.prepare(record));
    }
  }

  /**
   * Reads a record that has a value.
   *
   * @throws UndecodableException if it cannot be decoded
   */
  public void read(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
    RecordParts parts = new RecordParts(record);
    Way way = ways.apply(record.value());
    text = way.text();
    bytes = 0;
    if (way.decoder().isPresent()) {
      List<Object> values = way.decoder().get().decode(record);
      oneRecord(() -> text.read(values, time(record), parts));
    } else {
      oneRecord(() -> text.read(record.value(), time(record), parts));
    }
    bytes =
        text.good().stream()
            .mapToLong(each -> BatchEncoder.mostBytesOfReading(Utils.utf8Length(each.sensorId())))
            .sum();
  }

  /** A fault of a reader costs one record, and not the import. */
  private static void oneRecord(Runnable reading) throws UndecodableException {
    try {
      reading.run();
    } catch (RuntimeException e) {
      throw UndecodableException.malformed("cannot be read: " + e);
    }
  }

  /** Most bytes of the readings in batches. */
  long bytes() {
    return isTooLarge() ? 0 : bytes;
  }

  private boolean isTooLarge() {
    return bytes > MAX_BYTES;
  }

  /** The record's time in milliseconds; empty if it has none, something else if it is none. */
  private String time(ConsumerRecord<byte[], byte[]> record) {
    if (timeHeader.isEmpty()) {
      boolean has = anyRecordTime || record.timestampType() == TimestampType.CREATE_TIME;
      return has && record.timestamp() >= 0 ? Long.toString(record.timestamp()) : "";
    }
    Header header = record.headers().lastHeader(timeHeader.get());
    if (header == null || header.value() == null) {
      return "";
    }
    String found = new String(header.value(), StandardCharsets.UTF_8).strip();
    try {
      return found.matches("-?[0-9]{1,19}")
          ? found
          : Long.toString(OffsetDateTime.parse(found).toInstant().toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      return "?";
    }
  }

  /** The readings, in their order. */
  public List<Reading> good() {
    return isTooLarge() ? List.of() : text.good();
  }

  /** What was refused, in its order. */
  public List<RecordText.Refused> refused() {
    return isTooLarge() ? TOO_LARGE : text.refused();
  }
}
