package io.weir.peers;

import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Readings of a batch one by one: in the source, so that watermarks are a partition's own. */
public final class EachReading implements KafkaRecordDeserializationSchema<Part> {
  private static final long serialVersionUID = 1;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Part> out)
      throws IOException {
    ReadingBatch batch = ReadingBatch.parseFrom(record.value());
    for (Reading reading : batch.getReadingsList()) {
      if (reading.getQuality() != Quality.QUALITY_BAD) {
        out.collect(new Part(reading.getSensorId(), reading.getTimestampMs(), reading.getValue()));
      }
    }
    for (Series series : batch.getSeriesList()) {
      long ms = series.getStartTimestampMs();
      boolean graded = series.getQualityCount() > 0;
      for (int i = 0; i < series.getValueCount(); i++) {
        ms += series.getTimestampDeltaMs(i);
        if (!graded || series.getQuality(i) != Quality.QUALITY_BAD) {
          out.collect(new Part(series.getSensorId(), ms, series.getValue(i)));
        }
      }
    }
  }

  @Override
  public TypeInformation<Part> getProducedType() {
    return TypeInformation.of(Part.class);
  }
}
