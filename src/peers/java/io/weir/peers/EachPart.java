package io.weir.peers;

import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a batch has of each sensor and window, added up before it is keyed and goes anywhere. */
public final class EachPart implements KafkaRecordDeserializationSchema<Part> {
  private static final long serialVersionUID = 1;

  private transient Map<String, Part> open;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Part> out)
      throws IOException {
    if (open == null) {
      open = new HashMap<>();
    }
    ReadingBatch batch = ReadingBatch.parseFrom(record.value());
    for (Reading reading : batch.getReadingsList()) {
      if (reading.getQuality() != Quality.QUALITY_BAD) {
        add(reading.getSensorId(), reading.getTimestampMs(), reading.getValue(), out);
      }
    }
    open.values().forEach(out::collect);
    open.clear();
    for (Series series : batch.getSeriesList()) {
      add(series, out);
    }
  }

  private void add(String sensorId, long ms, double value, Collector<Part> out) {
    Part part = open.get(sensorId);
    if (part != null && part.isOfWindow(ms)) {
      part.add(ms, value);
      return;
    }
    if (part != null) {
      out.collect(part);
    }
    open.put(sensorId, new Part(sensorId, ms, value));
  }

  private static void add(Series series, Collector<Part> out) {
    long ms = series.getStartTimestampMs();
    boolean graded = series.getQualityCount() > 0;
    Part part = null;
    for (int i = 0; i < series.getValueCount(); i++) {
      ms += series.getTimestampDeltaMs(i);
      if (graded && series.getQuality(i) == Quality.QUALITY_BAD) {
        continue;
      }
      if (part != null && part.isOfWindow(ms)) {
        part.add(ms, series.getValue(i));
        continue;
      }
      if (part != null) {
        out.collect(part);
      }
      part = new Part(series.getSensorId(), ms, series.getValue(i));
    }
    if (part != null) {
      out.collect(part);
    }
  }

  @Override
  public TypeInformation<Part> getProducedType() {
    return TypeInformation.of(Part.class);
  }
}
