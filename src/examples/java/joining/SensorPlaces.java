package joining;

import io.weir.summary.LatestSummaryTable;
import io.weir.summary.SensorStreamPartitioner;
import io.weir.summary.WindowKey;
import io.weir.v1.WindowSummary;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TableJoined;

/** The newest summary of each window with the place of its sensor, from a table of sensors. */
public final class SensorPlaces {
  private SensorPlaces() {}

  /**
   * A topology.
   *
   * @param sensors sensor id to place; 64 partitions, filled with {@code
   *     partitioner.class=io.weir.topic.SensorPartitioner}
   * @param output sensor id to place, start and maximum
   */
  public static Topology topology(String sensors, String output) {
    StreamsBuilder builder = new StreamsBuilder();
    KTable<WindowKey, WindowSummary> windows =
        LatestSummaryTable.of(builder, "weir.windows", "windows");
    KTable<String, String> places =
        builder.table(sensors, Consumed.with(Serdes.String(), Serdes.String()));
    windows
        .join(
            places,
            WindowSummary::getSensorId,
            (window, place) -> place + " " + window.getWindowStartMs() + " " + window.getMax(),
            TableJoined.with(null, new SensorStreamPartitioner<>()),
            Materialized.with(LatestSummaryTable.keys(), Serdes.String()))
        .toStream()
        .map((window, row) -> KeyValue.pair(window.sensorId(), row))
        .to(output, Produced.with(Serdes.String(), Serdes.String()));
    return builder.build();
  }

  public static void main(String[] args) {
    Properties settings = new Properties();
    settings.putAll(
        Map.of(
            "application.id", "sensor-places",
            "bootstrap.servers", "localhost:9092",
            "processing.guarantee", "exactly_once_v2"));
    KafkaStreams streams = new KafkaStreams(topology("plant.sensors", "sensor-places"), settings);
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.start();
  }
}
