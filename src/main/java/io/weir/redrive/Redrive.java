package io.weir.redrive;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.deadletter.DeadLetterHeaders;
import io.weir.deadletter.Origin;
import io.weir.deadletter.SizeGuard;
import io.weir.reading.RejectReason;
import io.weir.registry.Patience;
import io.weir.registry.ValueFormat;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicDifference;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import io.weir.v1.RedriveMark;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * Sends letters to the readings again: those that fit, up to where their topic ended at the start,
 * each once, however often it is run and wherever it was killed. What is sent, and the marks that
 * say so, are one transaction after the other; a letter with a mark is left. One run at a time and
 * one thread.
 */
public final class Redrive {
  /** How long a letter waits for a registry that does not answer. */
  private static final long REGISTRY_PATIENCE_MS = 15_000;

  private static final Set<RejectReason> PERHAPS_COUNTED =
      Set.of(RejectReason.FENCED, RejectReason.STALE_SEQUENCE);

  private final RedriveOrder order;
  private final Clients clients;
  private final LongSupplier clockMs;
  private final LetterOpener opener;
  private final Map<Outcome, Long> letters = new EnumMap<>(Outcome.class);
  private final LongSet batchesOfThisRun = new LongSet();
  private Marks marks;
  private int room;
  private long offsetsLookedAt;
  private long offsetsInAll;
  private long batches;
  private long readings;
  private long leftReadings;

  /**
   * What a redrive needs of a cluster.
   *
   * @param reader makes a consumer of no group that sees only what was committed and that hands
   *     over no more at a time than fits a transaction
   * @param producerSettings of the shop; the serialisers are those of {@code producer}
   * @param values how batches stand on the topics
   */
  public record Clients(
      TopicAdmin topics,
      Supplier<Consumer<byte[], byte[]>> reader,
      Map<String, Object> producerSettings,
      Function<Map<String, Object>, Producer<byte[], byte[]>> producer,
      ValueFormat values) {}

  /**
   * @param clockMs the wall clock: what is still ahead of it is left
   */
  public Redrive(RedriveOrder order, Clients clients, LongSupplier clockMs) {
    this.order = order;
    this.clients = clients;
    this.clockMs = clockMs;
    this.opener =
        new LetterOpener(
            clients
                .values()
                .reader(
                    order.letters(),
                    ReadingBatch.getDefaultInstance(),
                    Patience.of(REGISTRY_PATIENCE_MS)),
            order.limits(),
            order.maxFutureSkewMs());
  }

  /**
   * Runs to the end, or until it is stopped.
   *
   * @throws KafkaException if the cluster does not do its part, or another redrive of the same
   *     letters began; what was committed stands, and the next run goes on from there
   */
  public RedriveReport run(RedriveWatch watch) {
    checkTopics();
    Uuid letterTopic = clients.topics().id(order.letters()).orElseThrow();
    int maxMessageBytes = clients.topics().maxMessageBytes(order.readings());
    ValueFormat.Writer writer =
        clients.values().writer(order.readings(), ReadingBatch.getDefaultInstance());
    room = roomForBatch(maxMessageBytes) - writer.mostAddedBytes();
    marks = new Marks(letterTopic);
    if (order.dryRun()) {
      readMarks();
      return read(watch, null);
    }
    clients.topics().createRedriven(order.letters());
    checkMarks();
    Producer<byte[], byte[]> producer =
        clients
            .producer()
            .apply(
                Outbox.producerSettings(
                    clients.producerSettings(), order.letters(), maxMessageBytes));
    try (Outbox outbox = new Outbox(producer, order, marksTopic(), marks, writer)) {
      // Ends the transaction of a run that was killed: only then do the marks tell all.
      producer.initTransactions();
      readMarks();
      return read(watch, outbox);
    }
  }

  private void checkTopics() {
    for (TopicDifference difference : clients.topics().verify()) {
      boolean concerns =
          difference.topic().equals(order.letters()) || difference.topic().equals(order.readings());
      if (concerns && difference.isFatal()) {
        throw new KafkaException(difference.toString());
      }
    }
  }

  /** The marks are what keeps a letter from being counted twice. */
  private void checkMarks() {
    for (TopicDifference difference : clients.topics().verifyRedriven(order.letters())) {
      if (difference.isFatal()) {
        throw new KafkaException(difference.toString());
      }
    }
  }

  private int roomForBatch(int maxMessageBytes) {
    Origin longest = new Origin(order.letters(), SensorPartition.COUNT, Long.MAX_VALUE);
    byte[] longestKey = new byte[order.limits().maxIdBytes()];
    int onTopic =
        new SizeGuard(maxMessageBytes)
            .roomForValue(longestKey, DeadLetterHeaders.ofRedrive(longest));
    return Math.min(onTopic, order.limits().maxRecordBytes());
  }

  private String marksTopic() {
    return TopicNames.redriven(order.letters());
  }

  private void readMarks() {
    if (clients.topics().id(marksTopic()).isEmpty()) {
      return;
    }
    List<TopicPartition> partition = List.of(new TopicPartition(marksTopic(), 0));
    try (Consumer<byte[], byte[]> reader = clients.reader().get()) {
      TopicPass pass = new TopicPass(reader, partition, 0);
      while (!pass.isDone()) {
        for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
          marks.add(RedriveMark.parseFrom(record.value()));
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw new KafkaException("topic " + marksTopic() + " holds what is no mark: " + e, e);
    }
  }

  private RedriveReport read(RedriveWatch watch, Outbox outbox) {
    try (Consumer<byte[], byte[]> reader = clients.reader().get()) {
      List<TopicPartition> partitions =
          IntStream.range(0, SensorPartition.COUNT)
              .mapToObj(partition -> new TopicPartition(order.letters(), partition))
              .toList();
      TopicPass pass = new TopicPass(reader, partitions, order.filter().sinceMs());
      offsetsInAll = pass.inAll();
      while (!pass.isDone() && !watch.isStopped()) {
        for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
          take(new Letter(record), outbox);
        }
        if (outbox != null) {
          outbox.commit();
        }
        offsetsLookedAt = pass.passed();
        watch.progress(report());
      }
      return report();
    }
  }

  private void take(Letter letter, Outbox outbox) {
    if (order.filter().fits(letter)) {
      letters.merge(decide(letter, outbox), 1L, Long::sum);
    }
  }

  private Outcome decide(Letter letter, Outbox outbox) {
    if (!order.force() && marks.hasLetter(letter.partition(), letter.offset())) {
      return Outcome.SENT_BEFORE;
    }
    if (!order.returned() && letter.cameBack()) {
      return Outcome.CAME_BACK;
    }
    if (letter.reason().filter(this::isPerhapsCounted).isPresent()) {
      return Outcome.PERHAPS_COUNTED;
    }
    Parts parts = opener.open(letter, clockMs.getAsLong(), room, !order.force());
    if (parts.outcome() == Outcome.SENT && isRepeat(parts)) {
      return Outcome.REPEAT;
    }
    if (parts.outcome() == Outcome.SENT) {
      count(parts);
      if (outbox != null) {
        outbox.send(letter, parts);
      }
    }
    return parts.outcome();
  }

  private boolean isPerhapsCounted(RejectReason reason) {
    return PERHAPS_COUNTED.contains(reason) && !order.filter().reasons().contains(reason);
  }

  private boolean isRepeat(Parts parts) {
    boolean sentBefore = !order.force() && marks.hasBatch(parts.batchId());
    return parts.batchId() != 0 && (sentBefore || !batchesOfThisRun.add(parts.batchId()));
  }

  private void count(Parts parts) {
    batches += parts.batches().size();
    readings += parts.readings();
    leftReadings += parts.leftReadings();
  }

  private RedriveReport report() {
    return new RedriveReport(
        offsetsLookedAt, offsetsInAll, letters, batches, readings, leftReadings);
  }
}
