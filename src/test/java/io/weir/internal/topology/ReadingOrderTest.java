package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.store.StateMismatchException;
import io.weir.internal.store.ThreadStores;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.Test;

/**
 * Streams 4.3.1 reads a partition from its beginning when the consumer's offset is out of range
 * (StreamThread.pollRequests): so it is when a partition lost its end, and the state stays.
 */
class ReadingOrderTest {
  private static final InputLog STRICT =
      new InputLog() {
        @Override
        public Uuid topicId() {
          return Uuid.ZERO_UUID;
        }

        @Override
        public Missing requireContinues(
            int partition, Uuid stateTopicId, long life, long nextOffset, long offset) {
          if (offset < nextOffset) {
            throw new StateMismatchException(offset + " after " + nextOffset);
          }
          return Missing.NONE;
        }
      };

  @Test
  void recordsThatWereApplied_areNotAppliedAgain_whenTheTaskReadsFromTheBeginning()
      throws Exception {
    TopologyServices services = services(STRICT);
    try (TopologyTestDriver driver =
        new TopologyTestDriver(
            WeirTopology.build(WeirDriver.settings(WeirDriver.SPEC, 1 << 20), services),
            config())) {
      TestInputTopic<byte[], byte[]> input =
          driver.createInputTopic(
              WeirDriver.READINGS, new ByteArraySerializer(), new ByteArraySerializer());
      byte[] batch = Batches.batch(Batches.reading(Batches.sensor(0), 1_000, 1)).toByteArray();
      input.pipeInput(null, batch, 1_000L);
      input.pipeInput(null, batch, 1_001L);
      fromTheBeginning(driver);
      assertThatThrownBy(() -> input.pipeInput(null, batch, 1_000L))
          .hasRootCauseInstanceOf(StateMismatchException.class)
          .hasRootCauseMessage("0 after 2");
    }
  }

  /** Its task is read back, and those of other partitions go on. */
  @Test
  void stateThatDoesNotFitTheFirstRecord_isOfThatTaskAlone() {
    InputLog lost =
        new InputLog() {
          @Override
          public Uuid topicId() {
            return Uuid.ZERO_UUID;
          }

          @Override
          public Missing requireContinues(
              int partition, Uuid stateTopicId, long life, long nextOffset, long offset) {
            throw new StateMismatchException("state was lost");
          }
        };
    TopologyServices services = services(lost);
    try (TopologyTestDriver driver =
        new TopologyTestDriver(
            WeirTopology.build(WeirDriver.settings(WeirDriver.SPEC, 1 << 20), services),
            config())) {
      TestInputTopic<byte[], byte[]> input =
          driver.createInputTopic(
              WeirDriver.READINGS, new ByteArraySerializer(), new ByteArraySerializer());
      assertThatThrownBy(() -> input.pipeInput(null, new byte[0], 1_000L))
          .isInstanceOfSatisfying(
              TaskCorruptedException.class,
              e -> assertThat(e.corruptedTasks()).containsExactly(new TaskId(0, 0)));
    }
  }

  private static TopologyServices services(InputLog input) {
    return new TopologyServices(
        new Counts(),
        new TaskServices(
            () -> 0,
            Ticks.NONE,
            input,
            new ThreadStores(),
            new Progress(() -> 0).input(WeirDriver.READINGS)),
        ControlLog.NONE);
  }

  private static Properties config() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "weir");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    config.put(StreamsConfig.STATE_DIR_CONFIG, WeirDriver.stateDir());
    return config;
  }

  /** The driver counts offsets, and offers no way to say them. */
  private static void fromTheBeginning(TopologyTestDriver driver) throws Exception {
    Field offsets = TopologyTestDriver.class.getDeclaredField("offsetsByTopicOrPatternPartition");
    offsets.setAccessible(true);
    for (Object offset : ((Map<?, ?>) offsets.get(driver)).values()) {
      ((AtomicLong) offset).set(0);
    }
  }
}
