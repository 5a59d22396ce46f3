package io.weir.peers;

import io.weir.lab.bench.Subject;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.util.OutputTag;

/** The same windows in three ways. */
enum FlinkJob {
  /** A reading is an element, keyed by its sensor. */
  READINGS {
    @Override
    void build(StreamExecutionEnvironment env, Topics topics, Sink<SensorWindow> sink) {
      windows(env, topics, new EachReading(), sink);
    }
  },
  /** What a batch has of a sensor and window is added up before it is keyed. */
  PARTS {
    @Override
    void build(StreamExecutionEnvironment env, Topics topics, Sink<SensorWindow> sink) {
      windows(env, topics, new EachPart(), sink);
    }
  },
  /**
   * Nothing is keyed, as the topic is divided by sensor already: one operator in a chain with
   * source and sink keeps maps of its own for each partition.
   */
  CHAINED {
    @Override
    void build(StreamExecutionEnvironment env, Topics topics, Sink<SensorWindow> sink) {
      env.fromSource(topics.source(new EachBatch()), WatermarkStrategy.noWatermarks(), "readings")
          .process(new ChainedWindows(topics.task().outOfOrderness().toMillis()))
          .returns(TypeInformation.of(SensorWindow.class))
          .sinkTo(sink);
    }
  };

  static final long WINDOW_MS = 10_000;

  /** The one that a subject names. */
  static Optional<FlinkJob> of(Subject subject) {
    return switch (subject) {
      case FLINK -> Optional.of(READINGS);
      case FLINK_KEYED -> Optional.of(PARTS);
      case FLINK_CHAINED -> Optional.of(CHAINED);
      default -> Optional.empty();
    };
  }

  /** Makes the job from source to sink. */
  abstract void build(StreamExecutionEnvironment env, Topics topics, Sink<SensorWindow> sink);

  private static void windows(
      StreamExecutionEnvironment env,
      Topics topics,
      KafkaRecordDeserializationSchema<Part> parts,
      Sink<SensorWindow> sink) {
    OutputTag<Part> late = new OutputTag<>("late", TypeInformation.of(Part.class));
    SingleOutputStreamOperator<SensorWindow> windows =
        env.fromSource(
                topics.source(parts),
                WatermarkStrategy.<Part>forBoundedOutOfOrderness(topics.task().outOfOrderness())
                    .withTimestampAssigner((part, at) -> part.timestampMs),
                "readings")
            .keyBy(part -> part.sensorId)
            .window(TumblingEventTimeWindows.of(Duration.ofMillis(WINDOW_MS)))
            .sideOutputLateData(late)
            .aggregate(new AddPart(), new ToWindow());
    windows.getSideOutput(late).filter(new CountLate()).sinkTo(new DiscardingSink<>());
    windows.sinkTo(sink);
  }
}
