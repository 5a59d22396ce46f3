package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.imports.RecordReader;
import io.weir.internal.registry.Registries;
import io.weir.internal.registry.RegistryException;
import io.weir.internal.registry.RegistrySettings;
import io.weir.internal.registry.Schema;
import io.weir.internal.registry.SchemaRegistry;
import io.weir.internal.text.Printable;
import io.weir.internal.text.sniff.Plausibility;
import io.weir.internal.text.sniff.RecordGuess;
import io.weir.internal.text.sniff.RecordSample;
import io.weir.internal.text.sniff.Sniffed;
import io.weir.internal.wire.SchemaKey;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import picocli.CommandLine.ParameterException;

/** Looks at the newest records of a topic and prints the command that imports it. */
final class TopicSniff {
  private static final int SHOWN = 10;
  private static final int MAX_RECORDS = 20_000;

  /** Of the records, and of the readings in them: each becomes several objects. */
  private static final long MAX_BYTES = 16 << 20;

  /** Of a reading, besides its sensor id. */
  private static final int READING_BYTES = 64;

  private final WeirConfig config;
  private final String topic;
  private final List<String> connection;
  private final Optional<String> registryUrl;

  /**
   * @param connection options that the printed command needs too
   * @param registryUrl the value of --registry
   */
  TopicSniff(
      WeirConfig config, String topic, List<String> connection, Optional<String> registryUrl) {
    this.config = config;
    this.topic = topic;
    this.connection = connection;
    this.registryUrl = registryUrl;
  }

  /** Returns the exit status: 1 if there is no reading. */
  int run(int most, Results out) {
    List<ConsumerRecord<byte[], byte[]>> records = records(most);
    List<String> failures = new ArrayList<>();
    Sniffed sniffed =
        RecordGuess.look(
            records.stream().map(TopicSniff::sample).toList(), id -> schema(id, failures));
    failures.forEach(sniffed::leaveOpen);
    Trial trial = new Trial(records, sniffed);
    trial.run();
    out.line(String.format(Locale.ROOT, "%s: %,d records read", topic, records.size()));
    sniffed.says().forEach(line -> out.line("  " + line));
    trial.show(out);
    sniffed.undecided().forEach(line -> out.line("not decided: " + line));
    if (trial.readings.isEmpty()) {
      out.line("no reading was found" + trial.refusal.map(why -> ": " + why).orElse(""));
      out.line("to set the options by hand, see docs/import.md and weir import --help");
    }
    out.flush();
    return trial.readings.isEmpty() ? Failures.FAILED : 0;
  }

  private List<ConsumerRecord<byte[], byte[]>> records(int most) {
    try (Consumer<byte[], byte[]> consumer = Connections.reader(config)) {
      return records(consumer, topic, most);
    }
  }

  /** The newest records of each partition, each with its share of the bytes. */
  static List<ConsumerRecord<byte[], byte[]>> records(
      Consumer<byte[], byte[]> consumer, String topic, int most) {
    List<PartitionInfo> partitions = consumer.partitionsFor(topic);
    if (partitions == null || partitions.isEmpty()) {
      throw new KafkaException("no topic " + topic + " on the cluster");
    }
    int each = Math.max(1, Math.min(most, MAX_RECORDS / partitions.size()));
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    long left = MAX_BYTES;
    for (int i = 0; i < partitions.size(); i++) {
      TopicPartition partition = new TopicPartition(topic, partitions.get(i).partition());
      for (ConsumerRecord<byte[], byte[]> record :
          new TailReader(consumer, List.of(partition))
              .newest(
                  new TailReader.Start.Beginning(),
                  each,
                  left / (partitions.size() - i),
                  found -> true)) {
        // The newest record of a partition can be larger than its share.
        if (records.isEmpty() || TailReader.bytes(record) <= left) {
          records.add(record);
          left -= TailReader.bytes(record);
        }
      }
    }
    return records;
  }

  private static RecordSample sample(ConsumerRecord<byte[], byte[]> record) {
    Map<String, byte[]> headers = new HashMap<>();
    record.headers().forEach(header -> headers.put(header.key(), header.value()));
    boolean appended = record.timestampType() == TimestampType.LOG_APPEND_TIME;
    return new RecordSample(record.key(), record.value(), headers, appended);
  }

  private Optional<RecordSample.Schema> schema(int id, List<String> failures) {
    RegistrySettings settings = RegistrySettings.of(config.values());
    if (!settings.isSet()) {
      return Optional.empty();
    }
    try {
      SchemaRegistry registry = Registries.open(settings);
      Schema found = registry.schema(new SchemaKey.Id(id));
      return Optional.of(new RecordSample.Schema(found.type(), found.text()));
    } catch (RegistryException e) {
      failures.add("the schema " + id + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Reads the records by the options that are printed. */
  private final class Trial {
    private final List<ConsumerRecord<byte[], byte[]>> records;
    private final Sniffed sniffed;
    private final List<String> words = new ArrayList<>();
    private final List<Reading> readings = new ArrayList<>();
    private final Map<String, Integer> refused = new TreeMap<>();
    private Optional<String> refusal = Optional.empty();
    private long bytes;

    Trial(List<ConsumerRecord<byte[], byte[]>> records, Sniffed sniffed) {
      this.records = records;
      this.sniffed = sniffed;
    }

    void run() {
      if (sniffed.options().isEmpty()) {
        return;
      }
      words.addAll(List.of(topic, "--name", topic.replaceAll("[^A-Za-z0-9.-]", "-")));
      words.addAll(sniffed.arguments());
      words.addAll(connection);
      if ("avro".equals(sniffed.options().get("format"))) {
        registryUrl.ifPresent(url -> words.addAll(List.of("--registry", url)));
      }
      try {
        read(ImportCommand.reader(words, config));
      } catch (ParameterException e) {
        refusal = Optional.of("weir import refuses the options: " + e.getMessage());
      }
    }

    private void read(RecordReader reader) {
      Map<String, Set<Integer>> partitions = new HashMap<>();
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.value() == null || bytes > MAX_BYTES) {
          continue;
        }
        try {
          reader.read(record);
        } catch (UndecodableException e) {
          refused.merge("MALFORMED_RECORD", 1, Integer::sum);
          continue;
        } catch (RegistryException e) {
          refusal = Optional.of(e.getMessage());
          return;
        }
        reader.refused().forEach(each -> refused.merge(each.reason().name(), 1, Integer::sum));
        for (Reading reading : reader.good()) {
          bytes += READING_BYTES + reading.sensorId().length();
          if (bytes > MAX_BYTES) {
            break;
          }
          readings.add(reading);
          partitions
              .computeIfAbsent(reading.sensorId(), none -> new HashSet<>())
              .add(record.partition());
        }
      }
      Plausibility.of(readings).forEach(sniffed::leaveOpen);
      partitions.entrySet().stream()
          .filter(sensor -> sensor.getValue().size() > 1)
          .findFirst()
          .ifPresent(
              sensor ->
                  sniffed.leaveOpen(
                      "the order: the sensor %s is in several partitions; while an import catches"
                              .formatted(sensor.getKey())
                          + " up, its readings may be late"));
    }

    void show(Results out) {
      if (!words.isEmpty()) {
        StringBuilder command = new StringBuilder(SniffCommand.called() + " import");
        words.forEach(word -> command.append(' ').append(Printable.shellWord(word)));
        out.line((readings.isEmpty() ? "nearest command: " : "command: ") + command);
      }
      if (!readings.isEmpty()) {
        out.line(bytes > MAX_BYTES ? "readings (not of all records):" : "readings:");
        readings.stream().limit(SHOWN).forEach(each -> out.line("  " + SniffCommand.inWords(each)));
      }
      refused.forEach(
          (reason, count) ->
              out.line(String.format(Locale.ROOT, "refused: %s %,d", reason, count)));
    }
  }
}
