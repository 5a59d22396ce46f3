package io.weir.internal.imports;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.imports.RecordReader.Way;
import io.weir.internal.text.RecordText;
import io.weir.internal.text.RecordText.Time;
import io.weir.internal.text.TextForm;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.internal.wire.UndecodableException;
import io.weir.lab.hostile.HostileMessage;
import io.weir.lab.hostile.HostileRecord;
import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.lab.hostile.HostileTable;
import io.weir.reading.Limits;
import io.weir.topic.SensorPartition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.Test;

/**
 * Records and messages of the table, as another program's topic may have them, in every format of
 * {@code weir import}: each becomes readings, or a dead letter that a broker takes.
 */
class HostileRecordsInImportTest {
  private static final long SEED = Long.getLong("weir.seed", 1);
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final int MAX_READINGS = 10_000;
  private static final int MAX_BYTES = 1 << 20;

  private final ImportDeadLetters letters =
      new ImportDeadLetters(ImportDeadLettersTest.SETTINGS, MAX_BYTES);

  private static Map<String, RecordReader> readers() throws Exception {
    byte[] descriptors = Files.readAllBytes(Path.of("proto/weir/v1/weir.v1.binpb"));
    Map<String, Way> ways = new LinkedHashMap<>();
    ways.put("json", way(json(false, "json-value", "$.*"), null));
    ways.put("csv", way(csv(), null));
    ways.put("lines", way(lines(), null));
    ways.put(
        "number", way(json(true, "json-value", "$"), new NumberRecords(NumberRecords.Form.TEXT)));
    ways.put(
        "double", way(json(true, "json-value", "$"), new NumberRecords(NumberRecords.Form.DOUBLE)));
    ways.put(
        "protobuf",
        way(
            json(true, "json-value", "$.readings[*].value"),
            new ProtobufRecords(descriptors, "weir.v1.ReadingBatch")));
    Map<String, RecordReader> readers = new LinkedHashMap<>();
    ways.forEach(
        (name, way) -> readers.put(name, new RecordReader(any -> way, Optional.of("h"), true)));
    return readers;
  }

  private static Way way(RecordText text, RecordDecoder decoder) {
    return new Way(text, Optional.ofNullable(decoder));
  }

  private static RecordText json(boolean raw, String... more) {
    Map<String, String> options = new HashMap<>(Map.of("sensor-id", "{key}/{header:h}/{key:$.a}"));
    options.put(more[0], more[1]);
    return raw
        ? RecordText.rawJson(
            MappingOptions.ofRecords(options), Limits.DEFAULT, Time.RECORD, MAX_READINGS)
        : RecordText.json(
            MappingOptions.ofRecords(options), Limits.DEFAULT, Time.RECORD, MAX_READINGS);
  }

  private static RecordText csv() {
    return RecordText.csv(
        MappingOptions.ofRecords(
            new HashMap<>(Map.of("wide", "true", "sensor-id", "{key}/{column}"))),
        Limits.DEFAULT,
        Time.RECORD,
        MAX_READINGS);
  }

  private static RecordText lines() {
    return RecordText.lines(
        TextForm.lines("ms"), Limits.DEFAULT, Time.TEXT_OR_RECORD, MAX_READINGS);
  }

  @Test
  void recordsOfOthers_areReadingsOrDeadLetters_inEveryFormat() throws Exception {
    Map<String, RecordReader> readers = readers();
    for (HostileRow row : HostileTable.rows(Target.READINGS, SEED)) {
      HostileRecord record = HostileRecord.of(row, 3, NOW_MS);
      if (record.value() != null) {
        take(row, readers, record(record.key(), record.value(), record.headers()));
      }
    }
    for (HostileRow row : HostileTable.rows(Target.MQTT, SEED)) {
      if (row.unusual() <= 1) {
        HostileMessage message = HostileMessage.of(row, NOW_MS);
        take(row, readers, record(message.topic(), message.payload(), new RecordHeaders()));
      }
    }
  }

  private void take(
      HostileRow row, Map<String, RecordReader> readers, ConsumerRecord<byte[], byte[]> record) {
    readers.forEach(
        (format, reader) -> {
          ProducerRecord<byte[], byte[]> letter;
          try {
            reader.read(record);
            assertThat(reader.good())
                .as(row + " as " + format)
                .hasSizeLessThanOrEqualTo(MAX_READINGS);
            if (reader.refused().isEmpty()) {
              return;
            }
            letter =
                letters.of(
                    record, reader.refused(), reader.good().size() + reader.refused().size());
          } catch (UndecodableException e) {
            letter = letters.of(record, e);
          }
          assertThat(
                  AbstractRecords.estimateSizeInBytesUpperBound(
                      RecordBatch.CURRENT_MAGIC_VALUE,
                      CompressionType.NONE,
                      letter.key(),
                      letter.value(),
                      letter.headers().toArray()))
              .as(row + " as " + format)
              .isLessThanOrEqualTo(MAX_BYTES);
        });
  }

  private static ConsumerRecord<byte[], byte[]> record(byte[] key, byte[] value, Headers headers) {
    return new ConsumerRecord<>(
        "plant.raw",
        SensorPartition.COUNT,
        7,
        Long.MAX_VALUE,
        TimestampType.CREATE_TIME,
        -1,
        -1,
        key,
        value,
        headers,
        Optional.empty());
  }
}
