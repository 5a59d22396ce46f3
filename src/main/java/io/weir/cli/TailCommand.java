package io.weir.cli;

import io.weir.app.Keys;
import io.weir.app.WeirConfig;
import io.weir.wire.Tick;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir tail}: a topic as JSON lines. */
@Command(
    name = "tail",
    description = "Print the records of a topic as JSON lines, as they come.",
    footer = {
      "",
      "Fields are those of the proto files; topic, partition and offset are added, and for",
      "late and dead-letters the headers. What cannot be decoded is in value_base64. Only",
      "what was committed is shown. The last summary of a window is its truth.",
      "",
      "Examples:",
      "  weir tail windows",
      "  weir tail dead-letters --from-beginning --no-follow",
      "  weir tail windows --from-beginning -n 100 | jq .count"
    })
final class TailCommand implements Callable<Integer>, ConfigOptions.Configured {
  private static final Duration POLL = Duration.ofMillis(500);

  private final ConfigOptions configOptions =
      new ConfigOptions(
          Keys.BOOTSTRAP_SERVERS,
          Keys.TOPIC_READINGS,
          Keys.TOPIC_WINDOWS,
          Keys.TOPIC_LATE,
          Keys.TOPIC_DEAD_LETTERS);

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "KIND",
      description = "windows, late, dead-letters or readings.",
      converter = TailKind.Converter.class)
  private TailKind kind;

  @Option(names = "--from-beginning", description = "Start with the oldest record, not the next.")
  private boolean fromBeginning;

  @Option(names = "-n", paramLabel = "N", description = "End after N records.")
  private long most = Long.MAX_VALUE;

  @Option(names = "--no-follow", description = "End where the topic ended when this began.")
  private boolean noFollow;

  @Option(
      names = "--ticks",
      description = "With readings: show ticks too, by which silent sensors' time passes.")
  private boolean ticks;

  private long printed;

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    if (most < 1) {
      throw new ParameterException(spec.commandLine(), "-n " + most + ": allowed is 1 or more");
    }
    QuietKafka.unlessAsked();
    WeirConfig config = configOptions.load();
    try (KafkaConsumer<byte[], byte[]> reader = Connections.reader(config.kafka())) {
      StopSignal.install(reader::wakeup);
      print(reader, partitions(reader, kind.topic(config.topics())));
    } catch (WakeupException e) {
      return 0; // Asked to stop.
    }
    return 0;
  }

  private List<TopicPartition> partitions(KafkaConsumer<?, ?> reader, String topic) {
    List<TopicPartition> partitions =
        reader.partitionsFor(topic).stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    if (partitions.isEmpty()) {
      throw new KafkaException(
          "no topic " + topic + " on the cluster; create it with: weir topics");
    }
    return partitions;
  }

  private void print(KafkaConsumer<byte[], byte[]> reader, List<TopicPartition> partitions) {
    Results out = Results.standard();
    reader.assign(partitions);
    if (fromBeginning) {
      reader.seekToBeginning(partitions);
    } else {
      reader.seekToEnd(partitions);
    }
    Map<TopicPartition, Long> ends = noFollow ? reader.endOffsets(partitions) : Map.of();
    while (printed < most && !(noFollow && isAt(reader, ends))) {
      for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
        printWithin(record, ends, out);
      }
      out.flush();
    }
  }

  private void printWithin(
      ConsumerRecord<byte[], byte[]> record, Map<TopicPartition, Long> ends, Results out) {
    long end =
        ends.getOrDefault(new TopicPartition(record.topic(), record.partition()), Long.MAX_VALUE);
    boolean hidden =
        !ticks && kind == TailKind.READINGS && Tick.is(record.value(), record.headers());
    if (!hidden && printed < most && record.offset() < end) {
      out.line(RecordJson.line(kind, record));
      printed++;
    }
  }

  private static boolean isAt(KafkaConsumer<?, ?> reader, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> reader.position(end.getKey()) >= end.getValue());
  }
}
