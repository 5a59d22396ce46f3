package io.weir.lab.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.processor.api.ContextualFixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.state.WindowStore;

/**
 * The aggregation as a user of the DSL would first write it, with Weir's default windows. The cache
 * is off, to the pipeline's advantage: in 4.3.1 the first emission of a task walks through the
 * cache in steps from the year 1970 on, which takes seconds of CPU for each of 64 tasks.
 */
final class DslTopology {
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final Duration GRACE = Duration.ofSeconds(5);

  private DslTopology() {}

  /**
   * @param onRead called for each reading that comes from the repartition topic
   */
  static Topology build(String readings, String windows, Runnable onRead) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(
            readings, Consumed.with(Serdes.ByteArray(), messages(ReadingBatch.parser(), () -> {})))
        .flatMap((gateway, batch) -> readingsOf(batch))
        .processValues(EventTime::new)
        .groupByKey(Grouped.with(Serdes.String(), messages(Reading.parser(), onRead)))
        .windowedBy(TimeWindows.ofSizeAndGrace(WINDOW, GRACE))
        .emitStrategy(EmitStrategy.onWindowClose())
        .aggregate(
            Sum::new,
            (sensor, reading, sum) -> sum.add(reading.getValue()),
            Materialized.<String, Sum, WindowStore<Bytes, byte[]>>as("sums")
                .withKeySerde(Serdes.String())
                .withValueSerde(sums())
                .withCachingDisabled())
        .toStream((window, sum) -> window.key())
        .to(windows, Produced.with(Serdes.String(), sums()));
    return builder.build();
  }

  private static List<KeyValue<String, Reading>> readingsOf(ReadingBatch batch) {
    List<KeyValue<String, Reading>> readings = new ArrayList<>();
    for (Reading reading : batch.getReadingsList()) {
      readings.add(KeyValue.pair(reading.getSensorId(), reading));
    }
    for (Series series : batch.getSeriesList()) {
      long timestampMs = series.getStartTimestampMs();
      for (int i = 0; i < series.getValueCount(); i++) {
        timestampMs += series.getTimestampDeltaMs(i);
        readings.add(
            KeyValue.pair(
                series.getSensorId(),
                Reading.newBuilder()
                    .setSensorId(series.getSensorId())
                    .setTimestampMs(timestampMs)
                    .setValue(series.getValue(i))
                    .build()));
      }
    }
    return readings;
  }

  /** Windows are cut by the times of readings, not by those of the records they came in. */
  private static final class EventTime
      extends ContextualFixedKeyProcessor<String, Reading, Reading> {
    @Override
    public void process(FixedKeyRecord<String, Reading> record) {
      context().forward(record.withTimestamp(record.value().getTimestampMs()));
    }
  }

  private static <T extends MessageLite> Serde<T> messages(Parser<T> parser, Runnable onRead) {
    Deserializer<T> deserializer =
        (topic, bytes) -> {
          onRead.run();
          try {
            return parser.parseFrom(bytes);
          } catch (InvalidProtocolBufferException e) {
            throw new SerializationException(e);
          }
        };
    return Serdes.serdeFrom((topic, message) -> message.toByteArray(), deserializer);
  }

  private static Serde<Sum> sums() {
    return Serdes.serdeFrom(
        (topic, sum) -> sum == null ? null : sum.toBytes(),
        (topic, bytes) -> bytes == null ? null : Sum.ofBytes(bytes));
  }
}
