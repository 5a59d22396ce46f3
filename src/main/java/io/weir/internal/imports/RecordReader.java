package io.weir.internal.imports;

import io.weir.internal.registry.RegistryException;
import io.weir.internal.text.RecordText;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Reading;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;

/** Reads the readings of records, in any format. Holds those of the last record; one thread. */
public final class RecordReader {
  private final RecordText text;
  private final Optional<RecordDecoder> decoder;
  private final Optional<String> timeHeader;
  private final boolean anyRecordTime;

  /**
   * @param decoder of records that are no text
   * @param timeHeader header with the time of a record, in place of its own
   * @param anyRecordTime whether the time at which the broker received a record is one too
   */
  public RecordReader(
      RecordText text,
      Optional<RecordDecoder> decoder,
      Optional<String> timeHeader,
      boolean anyRecordTime) {
    this.text = text;
    this.decoder = decoder;
    this.timeHeader = timeHeader;
    this.anyRecordTime = anyRecordTime;
  }

  /**
   * Gets what reading the record needs from elsewhere.
   *
   * @throws RegistryException if a registry gave no answer
   */
  void prepare(ConsumerRecord<byte[], byte[]> record) {
    decoder.ifPresent(each -> each.prepare(record));
  }

  /**
   * Reads a record that has a value.
   *
   * @throws UndecodableException if it cannot be decoded
   */
  public void read(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
    RecordParts parts = new RecordParts(record);
    if (decoder.isPresent()) {
      text.read(decoder.get().decode(record), time(record), parts);
    } else {
      text.read(record.value(), time(record), parts);
    }
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
    return text.good();
  }

  /** What was refused, in its order. */
  public List<RecordText.Refused> refused() {
    return text.refused();
  }
}
