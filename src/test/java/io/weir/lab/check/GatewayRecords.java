package io.weir.lab.check;

import com.google.protobuf.ByteString;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Records as a gateway writes them, handed to a check. */
final class GatewayRecords {
  static final long NOW_MS = 1_700_000_000_000L;
  static final long BOOT = NOW_MS << 20 | 123;

  /**
   * Of docs/reference/known-answers.md: {@code a} lives in 44, {@code A} and {@code temp-0091} in
   * 12.
   */
  static final int PARTITION = 12;

  static final String SENSOR = "temp-0091";

  private final GatewayCheck check = new GatewayCheck();
  private final Map<Integer, Long> offsets = new HashMap<>();

  static ReadingBatch.Builder batch(long bootId, long sequence) {
    return ReadingBatch.newBuilder()
        .setGatewayId("gw-1")
        .setBootId(bootId)
        .setSequence(sequence)
        .addReadings(reading());
  }

  static Reading.Builder reading() {
    return Reading.newBuilder().setSensorId(SENSOR).setTimestampMs(NOW_MS).setValue(71.5);
  }

  static ReadingBatch.Builder with(Reading.Builder reading) {
    return batch(BOOT, 1).clearReadings().addReadings(reading);
  }

  GatewayRecords sent(ReadingBatch.Builder batch) {
    return sent(PARTITION, batch);
  }

  GatewayRecords sent(int partition, ReadingBatch.Builder batch) {
    byte[] key = batch.getGatewayIdBytes().toByteArray();
    return sent(partition, key, batch.build().toByteArray());
  }

  GatewayRecords sent(int partition, byte[] key, byte[] value) {
    long offset = offsets.merge(partition, 1L, Long::sum) - 1;
    check.take(
        new ConsumerRecord<>(
            "weir.readings",
            partition,
            offset,
            NOW_MS,
            TimestampType.LOG_APPEND_TIME,
            0,
            0,
            key,
            value,
            new RecordHeaders(),
            Optional.empty()));
    return this;
  }

  GatewayRecords sent(byte[] value) {
    return sent(PARTITION, "gw-1".getBytes(StandardCharsets.UTF_8), value);
  }

  static byte[] framed(ReadingBatch.Builder batch) {
    return ByteString.fromHex("000000002a00").concat(batch.build().toByteString()).toByteArray();
  }

  GatewayCheck check() {
    return check;
  }

  RuleResult result(Rule rule) {
    return check.results().stream().filter(each -> each.rule() == rule).findFirst().orElseThrow();
  }
}
