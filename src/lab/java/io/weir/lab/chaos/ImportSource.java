package io.weir.lab.chaos;

import io.weir.topic.KafkaFutures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Another team's program that writes JSON to a topic of its own in transactions, some of which it
 * aborts, in a thread of its own. Each record has another number; some are tombstones, have no
 * value, or cannot be read. The topic itself is the ledger. Safe for many threads.
 */
final class ImportSource implements AutoCloseable {
  static final String TOPIC = "chaos.raw";

  private static final int PARTITIONS = 3;
  private static final int MOST_PARTITIONS = 6;
  private static final int SENSORS = 20;
  private static final int ABORTED_ONE_IN = 8;
  private static final Duration STEP = Duration.ofMillis(100);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Admin admin;
  private final String bootstrapServers;
  private final Random random;
  private final int recordsOfStep;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final ReentrantLock writing = new ReentrantLock();
  private final Thread thread;
  private int partitions;
  private long number;

  /**
   * @param perSecond records, about
   */
  ImportSource(Admin admin, String bootstrapServers, long seed, int perSecond) {
    this.admin = admin;
    this.bootstrapServers = bootstrapServers;
    this.random = new Random(seed);
    this.recordsOfStep = 1 + perSecond * (int) STEP.toMillis() / 1_000;
    this.thread = new Thread(this::run, "source of the import");
    this.thread.setDaemon(true);
    create();
  }

  private void create() {
    partitions = PARTITIONS;
    NewTopic topic = new NewTopic(TOPIC, partitions, (short) -1);
    KafkaFutures.await(admin.createTopics(List.of(topic)).all());
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!stopped.get()) {
      try (KafkaProducer<String, String> producer = producer()) {
        producer.initTransactions();
        while (!Waiting.until(STEP, stopped::get)) {
          writing.lock();
          try {
            write(producer);
          } finally {
            writing.unlock();
          }
        }
      } catch (KafkaException e) {
        // The next producer ends the transaction of this one.
        Waiting.until(STEP, stopped::get);
      }
    }
    try (KafkaProducer<String, String> last = producer()) {
      last.initTransactions();
    } catch (KafkaException e) {
      // The brokers abort an open transaction after its timeout.
    }
  }

  private KafkaProducer<String, String> producer() {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            "chaos-source",
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            10_000),
        new StringSerializer(),
        new StringSerializer());
  }

  private void write(KafkaProducer<String, String> producer) {
    producer.beginTransaction();
    for (int i = 0; i < recordsOfStep; i++) {
      String sensor = "import/" + random.nextInt(SENSORS);
      producer.send(
          new ProducerRecord<>(
              TOPIC, Math.floorMod(sensor.hashCode(), partitions), sensor, value()));
    }
    producer.flush();
    if (random.nextInt(ABORTED_ONE_IN) == 0) {
      producer.abortTransaction();
    } else {
      producer.commitTransaction();
    }
  }

  private String value() {
    long n = number++;
    return switch (random.nextInt(25)) {
      case 0 -> null;
      case 1 -> "{\"other\":" + n + "}";
      case 2 -> "{\"value\":" + n;
      case 3 -> "[{\"value\":" + n + "},{\"value\":\"bad\"}]";
      case 4 -> "{\"value\":" + n + "}\n{\"value\":" + number++ + "}";
      default -> "{\"value\":" + n + "}";
    };
  }

  int partitions() {
    return partitions;
  }

  /** Adds a partition, unless there are many. */
  void grow() {
    writing.lock();
    try {
      if (partitions < MOST_PARTITIONS) {
        NewPartitions more = NewPartitions.increaseTo(partitions + 1);
        KafkaFutures.await(admin.createPartitions(Map.of(TOPIC, more)).all());
        partitions++;
      }
    } finally {
      writing.unlock();
    }
  }

  /**
   * Makes the topic again, if all of it was imported.
   *
   * @param imported returns whether it was, after nothing more is written
   */
  void makeAgain(BooleanSupplier imported) {
    writing.lock();
    try {
      if (imported.getAsBoolean()) {
        KafkaFutures.await(admin.deleteTopics(List.of(TOPIC)).all());
        Waiting.until(
            TIMEOUT, () -> !KafkaFutures.await(admin.listTopics().names()).contains(TOPIC));
        create();
      }
    } finally {
      writing.unlock();
    }
  }

  /** Writes nothing more once it returns. */
  @Override
  public void close() {
    stopped.set(true);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
