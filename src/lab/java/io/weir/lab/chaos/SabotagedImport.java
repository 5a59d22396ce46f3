package io.weir.lab.chaos;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.imports.Import;
import io.weir.internal.imports.ImportCluster;
import io.weir.internal.imports.ImportSettings;
import io.weir.internal.imports.RecordReader;
import io.weir.internal.text.RecordText;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.topic.Topic;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An import whose producer has a planted bug, and now and then fails before it commits. Arguments:
 * the bug, and settings by their names. One thread.
 */
public final class SabotagedImport {
  private static final int ONE_FAILS_IN = 5;

  private final PlantedBug bug;
  private final WeirConfig config;
  private final AtomicReference<Consumer<byte[], byte[]>> consumer = new AtomicReference<>();
  private final List<ProducerRecord<byte[], byte[]>> ofTransaction = new ArrayList<>();
  private final List<ProducerRecord<byte[], byte[]>> kept = new ArrayList<>();
  private final Producer<byte[], byte[]> outside;
  private int commits;

  SabotagedImport(PlantedBug bug, WeirConfig config) {
    this.bug = bug;
    this.config = config;
    this.outside =
        new KafkaProducer<>(
            config.kafka().forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Runs until the process is ended. */
  public static void main(String... arguments) {
    new SabotagedImport(PlantedBug.valueOf(arguments[0]), SabotagedProcess.config(arguments))
        .run(() -> false);
  }

  /** Imports until it is so. */
  void run(BooleanSupplier stopped) {
    ImportSettings settings =
        ImportSettings.of(config, List.of(ImportSource.TOPIC), Optional.empty());
    RecordText text =
        RecordText.json(
            MappingOptions.ofRecords(Map.of("sensor-id", "{key}")),
            config.limits(),
            RecordText.Time.TEXT_OR_RECORD,
            config.imports().maxReadings());
    RecordReader.Way way = new RecordReader.Way(text, Optional.empty());
    try (ImportCluster cluster = ImportCluster.open(config, settings)) {
      Import.Clients clients = cluster.clients();
      new Import(
              settings,
              new Import.Clients(
                  () -> {
                    consumer.set(clients.consumer().get());
                    return consumer.get();
                  },
                  () -> sabotaged(clients.producer().get()),
                  clients.reader(),
                  clients.topicId(),
                  clients.end()),
              cluster.form(new RecordReader(value -> way, Optional.empty(), false), false))
          .run(atMost -> Waiting.until(atMost, stopped));
    }
  }

  @SuppressWarnings("unchecked")
  private Producer<byte[], byte[]> sabotaged(Producer<byte[], byte[]> producer) {
    ofTransaction.clear();
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Producer.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) -> call(producer, method, arguments));
  }

  @SuppressWarnings("unchecked")
  private Object call(Producer<byte[], byte[]> producer, Method method, Object... arguments)
      throws Throwable {
    switch (method.getName()) {
      case "send" -> {
        var record = (ProducerRecord<byte[], byte[]>) arguments[0];
        boolean letter = record.topic().equals(config.nameOf(Topic.DEAD_LETTERS));
        if (letter && bug == PlantedBug.IMPORT_LETTER_WITHOUT_OFFSET) {
          return outside.send(record);
        }
        ofTransaction.add(record);
      }
      case "sendOffsetsToTransaction" -> {
        var offsets = (Map<TopicPartition, OffsetAndMetadata>) arguments[0];
        if (bug == PlantedBug.IMPORT_OFFSETS_OUTSIDE) {
          consumer.get().commitSync(offsets);
          return null;
        }
      }
      case "commitTransaction" -> {
        boolean keeps = bug == PlantedBug.IMPORT_BATCH_KEPT;
        if (++commits % ONE_FAILS_IN == 0) {
          if (keeps) {
            ofTransaction.stream()
                .filter(each -> each.topic().equals(config.topics().readings()))
                .forEach(kept::add);
          }
          throw new KafkaException("a commit fails on purpose");
        }
        kept.forEach(producer::send);
        kept.clear();
        ofTransaction.clear();
      }
      default -> {
        // As it is.
      }
    }
    try {
      return method.invoke(producer, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
