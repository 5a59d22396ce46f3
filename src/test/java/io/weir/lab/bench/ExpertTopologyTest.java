package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.TemporaryDirectory;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compared with a plain pass over the same batches. */
final class ExpertTopologyTest {
  private static final long SEED = 20;
  private static final int BATCHES = 100;
  private static final int BLOCK = 10;
  private static final long START_MS = 1_700_000_000_000L;

  private final AtomicLong counted = new AtomicLong();
  private final AtomicLong late = new AtomicLong();

  @ParameterizedTest
  @EnumSource(LoadForm.class)
  void windows_areThoseOfAPlainPass(LoadForm form) throws Exception {
    Comparison comparison = run(form, 15_000);

    assertThat(comparison.same()).isEqualTo(comparison.committed()).isGreaterThan(100);
    assertThat(comparison.lostReadings()).isZero();
    assertThat(late.get()).isZero();
  }

  @ParameterizedTest
  @EnumSource(LoadForm.class)
  void withLittleOutOfOrderness_whatIsLost_isWhatWasLate(LoadForm form) throws Exception {
    Comparison comparison = run(form, 2_000);

    assertThat(comparison.isOnce()).isTrue();
    assertThat(comparison.lostReadings()).isEqualTo(late.get()).isPositive();
  }

  /** Out of order by a few seconds: ten batches have six seconds of all sensors. */
  private static List<byte[]> shuffled(List<byte[]> batches) {
    Random random = new Random(SEED);
    for (int from = 0; from < batches.size(); from += BLOCK) {
      Collections.shuffle(batches.subList(from, Math.min(from + BLOCK, batches.size())), random);
    }
    return batches;
  }

  private Comparison run(LoadForm form, long delayMs) throws Exception {
    PlainPass pass = new PlainPass(1);
    Properties settings = new Properties();
    try (TemporaryDirectory directory = TemporaryDirectory.create("weir-test-")) {
      settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.path().toString());
      settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, ExpertRocks.class);
      try (TopologyTestDriver driver =
          new TopologyTestDriver(
              ExpertTopology.build("in", "out", delayMs, counted::addAndGet, late::addAndGet),
              settings)) {
        TestInputTopic<byte[], byte[]> in =
            driver.createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer());
        long readings = 0;
        for (byte[] batch : shuffled(LoadSample.batches(LoadShape.KEPT, form, BATCHES, START_MS))) {
          in.pipeInput(batch);
          pass.add(0, ReadingBatch.parseFrom(batch));
          readings += LoadSample.READINGS;
        }
        assertThat(counted.get() + late.get()).isEqualTo(readings);
        SubjectWindowCheck check =
            new SubjectWindowCheck(pass, new Closing(Closing.Time.PARTITION, delayMs));
        for (byte[] window :
            driver
                .createOutputTopic("out", new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readValuesToList()) {
          check.take(WindowSummary.parseFrom(window));
        }
        return check.comparison();
      }
    }
  }
}
