package io.weir.internal.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against Kafka's own estimate, by which its producer refuses what is too large. */
class SizeGuardTest {
  private static int estimate(byte[] key, byte[] value, Headers headers) {
    return AbstractRecords.estimateSizeInBytesUpperBound(
        RecordBatch.CURRENT_MAGIC_VALUE, Compression.NONE.type(), key, value, headers.toArray());
  }

  @Test
  void whateverGoesIn_whatComesOutFits() {
    Seeds.forEach(
        3000,
        random -> {
          int maxBytes = 2_000 + random.nextInt(6_000);
          byte[] key = bytes(random);
          byte[] value = bytes(random);
          Headers headers = headers(random);
          Headers before = new RecordHeaders(headers);
          SizeGuard.Fitting fitting = new SizeGuard(maxBytes).fit(key, value, headers);

          assertThat(estimate(fitting.key(), fitting.value(), headers))
              .isLessThanOrEqualTo(maxBytes);
          assertPrefix(fitting.key(), key);
          assertPrefix(fitting.value(), value);
          byte[] bounded = key == null ? null : Arrays.copyOf(key, Math.min(key.length, 1024));
          boolean whole =
              Arrays.equals(fitting.key(), bounded) && Arrays.equals(fitting.value(), value);
          if (whole) {
            assertThat(headers).isEqualTo(before);
          } else {
            int length = (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
            assertThat(headers.lastHeader("weir.size").value())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(String.valueOf(length));
            assertThat(estimate(key, value, before)).isGreaterThan(maxBytes - 250);
          }
        });
  }

  private static byte[] bytes(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> new byte[random.nextInt(50)];
      default -> new byte[random.nextInt(10_000)];
    };
  }

  private static Headers headers(Random random) {
    Headers headers = new RecordHeaders();
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      String key = (random.nextBoolean() ? "h" : "日本").repeat(random.nextInt(30));
      headers.add(key, random.nextInt(4) == 0 ? null : new byte[random.nextInt(80)]);
    }
    return headers;
  }

  private static void assertPrefix(byte[] part, byte[] whole) {
    if (whole == null) {
      assertThat(part).isNull();
    } else {
      assertThat(part).isEqualTo(Arrays.copyOf(whole, part.length));
    }
  }

  @Test
  void valueThatFillsItsRoom_isNotCut() {
    SizeGuard guard = new SizeGuard(5000);
    byte[] key = new byte[100];
    Headers headers = DeadLetterHeaders.of(new Origin("weir.readings", 3, 77));
    byte[] value = new byte[guard.roomForValue(key, headers)];
    assertThat(guard.fit(key, value, headers).value()).isSameAs(value);
    assertThat(estimate(key, value, headers)).isBetween(4800, 5000);
    assertThat(guard.fit(key, new byte[value.length + 1], headers).value())
        .hasSizeLessThan(value.length);
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
  void bytesThatCompressionMakesLarger_fit(CompressionType type) {
    int maxBytes = 1 << 20;
    byte[] noise = new byte[maxBytes];
    new Random(1).nextBytes(noise);
    Headers headers = new RecordHeaders();
    byte[] value = new SizeGuard(maxBytes).fit(null, noise, headers).value();
    MemoryRecords batch =
        MemoryRecords.withRecords(
            Compression.of(type).build(), new SimpleRecord(0, null, value, headers.toArray()));
    assertThat(batch.sizeInBytes()).isBetween(maxBytes - 4096, maxBytes);
  }

  @Test
  void headersTooLargeByThemselves_areLeftOut_butForTheOrigin() {
    Headers headers = DeadLetterHeaders.of(new Origin("weir.readings", 3, 77));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, "UNDECODABLE");
    for (int header = 0; header < 1_000; header++) {
      headers.add(header % 2 == 0 ? "" : "h" + header, new byte[header % 3]);
    }
    SizeGuard.Fitting fitting = new SizeGuard(5000).fit(new byte[600], new byte[6000], headers);
    assertThat(estimate(fitting.key(), fitting.value(), headers)).isBetween(4000, 5000);
    assertThat(headers)
        .extracting(Header::key)
        .containsExactlyInAnyOrder(
            DeadLetterHeaders.TOPIC,
            DeadLetterHeaders.PARTITION,
            DeadLetterHeaders.OFFSET,
            DeadLetterHeaders.REASON,
            DeadLetterHeaders.SIZE);
  }

  @Test
  void longKey_isCut_andTheValueIsWhole() {
    Headers headers = new RecordHeaders();
    byte[] value = new byte[3000];
    SizeGuard guard = new SizeGuard(5000);
    SizeGuard.Fitting fitting = guard.fit(new byte[6000], value, headers);
    assertThat(fitting.key()).hasSize(1024);
    assertThat(fitting.value()).isSameAs(value);
    assertThat(headers).isEmpty();
    assertThat(guard.roomForValue(new byte[6000], headers)).isGreaterThan(3000);
  }
}
