package io.weir.keyed;

import io.weir.Await;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.EventBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The pace of an application with handlers that catches up, with all that Kafka costs. */
final class KeyedPace {
  private static final int KEYS = 100_000;
  private static final int EVENTS_A_BATCH = 1_000;
  private static final int ROUNDS = Integer.getInteger("weir.rounds", 60);

  private KeyedPace() {}

  static void main(String[] args) throws Exception {
    Path dir = Files.createTempDirectory("keyed-pace");
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.ALL.of(User.HANDLER)).createMissing();
      long records = fill(kafka.bootstrapServers());
      long beginNs = System.nanoTime();
      try (KeyedApplication application =
          KeyedApplication.builder("pace", KeyedFigures.Counting::new)
              .setting("bootstrap.servers", kafka.bootstrapServers())
              .setting("threads", "2")
              .setting("state.dir", dir.toString())
              .start()) {
        long first = await(admin, 1);
        if (application.ended().isDone()) {
          throw new IllegalStateException(application.ended().join().orElse(""));
        }
        long fromNs = System.nanoTime();
        long done = await(admin, records);
        double seconds = (System.nanoTime() - fromNs) / 1e9;
        System.out.printf(
            "handlers on Kafka: %,d events of %,d keys, two threads, broker in the same process:"
                + " %,.0f/s once it runs, %.1f s in all%n",
            (long) ROUNDS * KEYS,
            KEYS,
            (double) ROUNDS * KEYS * (done - first) / records / seconds,
            (System.nanoTime() - beginNs) / 1e9);
      }
    }
  }

  /** Each round has all keys once, a partition's keys in batches of its own. */
  private static long fill(String bootstrapServers) throws Exception {
    List<List<byte[]>> partitions = new ArrayList<>();
    List<EventBatch.Builder> open = new ArrayList<>();
    for (int i = 0; i < SensorPartition.COUNT; i++) {
      partitions.add(new ArrayList<>());
      open.add(EventBatch.newBuilder());
    }
    for (int key = 0; key < KEYS; key++) {
      int partition = SensorPartition.of("account_" + key);
      EventBatch.Builder batch = open.get(partition).addEvents(KeyedFigures.event(key));
      if (batch.getEventsCount() == EVENTS_A_BATCH) {
        partitions.get(partition).add(batch.build().toByteArray());
        batch.clear();
      }
    }
    for (int i = 0; i < SensorPartition.COUNT; i++) {
      if (open.get(i).getEventsCount() > 0) {
        partitions.get(i).add(open.get(i).build().toByteArray());
      }
    }
    long records = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "compression.type", "lz4"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int round = 0; round < ROUNDS; round++) {
        for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
          for (byte[] batch : partitions.get(partition)) {
            producer.send(new ProducerRecord<>(Topic.EVENTS.defaultName(), partition, null, batch));
            records++;
          }
        }
      }
    }
    return records;
  }

  /** Waits until so many records are committed; says how many are. */
  private static long await(Admin admin, long records) throws Exception {
    while (true) {
      long committed =
          admin
              .listConsumerGroupOffsets("pace")
              .partitionsToOffsetAndMetadata()
              .get()
              .values()
              .stream()
              .mapToLong(OffsetAndMetadata::offset)
              .sum();
      if (committed >= records) {
        return committed;
      }
      Await.pause();
    }
  }
}
