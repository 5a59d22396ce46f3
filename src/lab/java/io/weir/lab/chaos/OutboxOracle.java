package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.lab.oracle.Findings;
import io.weir.lab.oracle.NaiveRecord;
import io.weir.reading.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Holds what a collector sent against the rows that were committed: each is a reading on the topic,
 * once by gateway, boot and sequence, or a reject, or has expired. One thread.
 */
final class OutboxOracle {
  private final Map<String, Integer> arrived = new HashMap<>();
  private final Map<Sequence, LedgerIndex.Print> batches = new HashMap<>();
  private final Map<Channel, Long> lastSequences = new HashMap<>();
  private final Findings findings = new Findings();
  private long records;
  private long committed;
  private long rejected;
  private long expired;

  private record Sequence(long bootId, int partition, long sequence) {}

  private record Channel(long bootId, int partition) {}

  /** What a record holds if a collector sent it and no redrive; null for any other. */
  static ReadingBatch batch(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null
        || NaiveRecord.isTick(record)
        || record.headers().lastHeader(DeadLetterHeaders.REDRIVE_TOPIC) != null) {
      return null;
    }
    try {
      ReadingBatch batch = ReadingBatch.parseFrom(record.value());
      return batch.getGatewayId().equals(CollectorApplication.GATEWAY) ? batch : null;
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  /** Takes a record of the readings topic, in the order of offsets. */
  void take(ConsumerRecord<byte[], byte[]> record) {
    ReadingBatch batch = batch(record);
    if (batch == null) {
      return;
    }
    records++;
    Sequence name = new Sequence(batch.getBootId(), record.partition(), batch.getSequence());
    LedgerIndex.Print print = LedgerIndex.Print.of(record.value());
    LedgerIndex.Print before = batches.putIfAbsent(name, print);
    if (before == null) {
      long last =
          lastSequences.merge(
              new Channel(name.bootId(), name.partition()), name.sequence(), Math::max);
      if (last > name.sequence()) {
        findings.wrongRecord("batch " + name + " comes for the first time behind " + last);
      }
      batch.getReadingsList().forEach(this::arrive);
      batch.getSeriesList().forEach(this::arrive);
    } else if (!before.equals(print)) {
      findings.wrongRecord("batch " + name + " is there with two contents");
    }
  }

  private void arrive(Series series) {
    long timestampMs = series.getStartTimestampMs();
    for (int i = 0; i < series.getValueCount(); i++) {
      timestampMs += series.getTimestampDeltaMs(i);
      arrive(
          Reading.newBuilder()
              .setSensorId(series.getSensorId())
              .setTimestampMs(timestampMs)
              .setValue(series.getValue(i))
              .setQualityValue(series.getQualityCount() == 0 ? 0 : series.getQualityValue(i))
              .build());
    }
  }

  private void arrive(Reading reading) {
    String name =
        name(
            reading.getSensorId(),
            reading.getTimestampMs(),
            reading.getValue(),
            reading.getQualityValue());
    arrived.merge(name, 1, Integer::sum);
  }

  private static String name(String sensor, long timestampMs, double value, int quality) {
    return "%s %d %x %s"
        .formatted(
            sensor,
            timestampMs,
            Double.doubleToRawLongBits(value),
            quality == 0 ? Quality.GOOD : Quality.ofNumber(quality));
  }

  /** Holds it all against the rows, and looks that none is left; to be called once. */
  Findings check(Connection connection) throws SQLException {
    Set<Long> refused = new HashSet<>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row =
          statement.executeQuery("select * from chaos_outbox order by expires_in_ms nulls first")) {
        while (row.next()) {
          committed++;
          if (row.getObject("expires_in_ms") != null) {
            expectAtMostOnce(row);
          } else if (row.getBoolean("accepted")) {
            expect(row);
          } else {
            refused.add(row.getLong("id"));
          }
        }
      }
      arrived.forEach(
          (reading, times) -> {
            if (times > 0) {
              findings.doubled(times, reading + ", which no row says as often");
            }
          });
      rejected = refused.size();
      checkRejects(statement, refused);
      checkEmpty(statement);
    }
    return findings;
  }

  private static String name(ResultSet row) throws SQLException {
    return name(
        row.getString("sensor_id"),
        row.getLong("timestamp_ms"),
        row.getDouble("value"),
        row.getInt("quality"));
  }

  /**
   * One that had expired when it was inserted may not arrive; others may have expired meanwhile.
   */
  private void expectAtMostOnce(ResultSet row) throws SQLException {
    String name = name(row);
    if (row.getInt("expires_in_ms") < 0 || arrived.getOrDefault(name, 0) <= 0) {
      expired++;
    } else {
      arrived.merge(name, -1, Integer::sum);
    }
  }

  private void expect(ResultSet row) throws SQLException {
    String name = name(row);
    if (arrived.merge(name, -1, Integer::sum) < 0) {
      findings.lost(1, "row " + row.getLong("id") + " of weir_outbox, " + name);
    }
  }

  private void checkRejects(Statement statement, Set<Long> refused) throws SQLException {
    try (ResultSet row = statement.executeQuery("select id from weir_outbox_rejects")) {
      while (row.next()) {
        if (!refused.remove(row.getLong(1))) {
          findings.wrongRecord("row " + row.getLong(1) + " of weir_outbox_rejects");
        }
      }
    }
    refused.forEach(id -> findings.lost(1, "row " + id + ", which is no reject"));
  }

  private void checkEmpty(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("select count(*) from weir_outbox")) {
      row.next();
      if (row.getLong(1) > 0) {
        findings.wrongRecord(row.getLong(1) + " rows are left in weir_outbox");
      }
    }
  }

  /** Rows that were committed. */
  long committed() {
    return committed;
  }

  /** Those of them that are no reading. */
  long rejected() {
    return rejected;
  }

  /** Those of them that expired before they were sent. */
  long expired() {
    return expired;
  }

  /** Records that a collector sent. */
  long records() {
    return records;
  }

  /** Those of them that had been sent before. */
  long repeats() {
    return records - batches.size();
  }
}
