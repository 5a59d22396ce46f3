package io.weir.internal.redrive;

import com.google.protobuf.Message;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.deadletter.SizeGuard;
import io.weir.internal.deadletter.UnreadOffsets;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.RejectReason;
import io.weir.signing.BatchSigner;
import io.weir.signing.MasterKey;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicDifference;
import io.weir.topic.TopicNames;
import io.weir.v1.EventBatch;
import io.weir.v1.ReadingBatch;
import io.weir.v1.RedriveMark;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records to the readings topic again: those that match the filter, up to the end of their
 * topic at the start, each once, even after repeated or killed runs. Each transaction writes
 * batches and the marks of their records; records with a mark are skipped. One run at a time and
 * one thread.
 */
public final class Redrive {
  private static final Logger LOG = LoggerFactory.getLogger(Redrive.class);

  /** Longest wait of a record for the registry. */
  static final long REGISTRY_WAIT_MS = 15_000;

  /** Longer than the reason of a record of readings, which is in its place. */
  private static final String LONGEST_APPLICATION = "a".repeat(249);

  private static final Set<RejectReason> PERHAPS_COUNTED =
      Set.of(RejectReason.FENCED, RejectReason.STALE_SEQUENCE);

  private static final Set<RejectReason> NOT_PROVEN =
      Set.of(
          RejectReason.UNSIGNED,
          RejectReason.BAD_SIGNATURE,
          RejectReason.EXPIRED_KEY,
          RejectReason.REVOKED);

  private final RedriveRequest request;
  private final Clients clients;
  private final LongSupplier clockMs;
  private final PublishedWindows published;
  private final RecordSplitter splitter;
  private final EventResend events;
  private final RedriveTally total = new RedriveTally();
  private final LongSet batchesOfThisRun = new LongSet();

  /** Of the transaction at hand. */
  private RedriveTally tally = new RedriveTally();

  private RedrivenOffsets marks;
  private CountedCopies copies;
  private UnreadBatches unread;
  private ResetGateways resets;
  private int room;
  private long offsetsLookedAt;
  private long offsetsInAll;

  /** Orders before this are known. */
  private long ordersEnd;

  /**
   * The clients of a redrive.
   *
   * @param reader creates a consumer without a group that reads committed records, and polls at
   *     most the records of a transaction
   * @param producerSettings settings of the user; {@code producer} sets the serializers
   * @param values the format of batches on the topics
   * @param master master key of the signatures; empty to send without signatures
   * @param lossAccepted whether an operator has accepted a gap of a partition of the readings for
   *     the application; withheld readings of others are skipped
   * @param lives of the application; records of others are skipped, except events
   * @param runs whether an application runs, or will; it alone handles the events that it refused
   */
  public record Clients(
      TopicAdmin topics,
      Supplier<Consumer<byte[], byte[]>> reader,
      Map<String, Object> producerSettings,
      Function<Map<String, Object>, Producer<byte[], byte[]>> producer,
      ValueFormat values,
      Optional<MasterKey> master,
      BiPredicate<Integer, Gap> lossAccepted,
      Lives lives,
      Predicate<String> runs) {
    /** Clients without signatures and accepted losses. */
    public Clients(
        TopicAdmin topics,
        Supplier<Consumer<byte[], byte[]>> reader,
        Map<String, Object> producerSettings,
        Function<Map<String, Object>, Producer<byte[], byte[]>> producer,
        ValueFormat values,
        Lives lives) {
      this(
          topics,
          reader,
          producerSettings,
          producer,
          values,
          Optional.empty(),
          (partition, gap) -> false,
          lives,
          application -> true);
    }
  }

  /**
   * @param clockMs the wall clock; readings that are ahead of it are skipped
   */
  public Redrive(RedriveRequest request, Clients clients, LongSupplier clockMs) {
    this.request = request;
    this.clients = clients;
    this.clockMs = clockMs;
    this.published = new PublishedWindows(clients.lives(), request.noWindows());
    this.events = new EventResend(request.filter());
    this.splitter =
        new RecordSplitter(
            clients
                .values()
                .reader(
                    request.records(),
                    ReadingBatch.getDefaultInstance(),
                    WaitLimit.of(REGISTRY_WAIT_MS)),
            request.limits(),
            request.maxFutureSkewMs(),
            published);
  }

  /**
   * Runs to the end, or until it is stopped.
   *
   * @throws KafkaException if Kafka fails, or another redrive of the same records has started;
   *     committed transactions stay, and the next run continues after them
   */
  public RedriveReport run(RedriveListener watch) {
    checkTopics();
    Uuid sourceTopicId = clients.topics().id(request.records()).orElseThrow();
    int maxMessageBytes =
        request.targets().stream().mapToInt(clients.topics()::maxMessageBytes).min().orElseThrow();
    Map<String, ValueFormat.Writer> writers = writers();
    int added =
        writers.values().stream().mapToInt(ValueFormat.Writer::mostAddedBytes).max().orElseThrow();
    int signature = clients.master().isPresent() ? BatchSigner.MOST_ADDED_BYTES : 0;
    room = roomForBatch(maxMessageBytes) - added - signature;
    marks = new RedrivenOffsets(sourceTopicId);
    if (request.dryRun()) {
      readMarks(clients.topics().partitions(marksTopic()));
      return read(watch, null);
    }
    clients.topics().createRedriven(request.records());
    checkMarks();
    int markPartitions = clients.topics().partitions(marksTopic());
    Producer<byte[], byte[]> producer =
        clients
            .producer()
            .apply(
                RedriveSender.producerSettings(
                    clients.producerSettings(), request.records(), maxMessageBytes));
    try (RedriveSender sender =
        new RedriveSender(producer, request, markPartitions, marks, writers, clients.master())) {
      // Ends the transaction of a killed run: only then are the marks complete.
      producer.initTransactions();
      readMarks(markPartitions);
      return read(watch, sender);
    }
  }

  private Map<String, ValueFormat.Writer> writers() {
    Message batch =
        request.isOfEvents() ? EventBatch.getDefaultInstance() : ReadingBatch.getDefaultInstance();
    Map<String, ValueFormat.Writer> writers = new TreeMap<>();
    request.targets().forEach(topic -> writers.put(topic, clients.values().writer(topic, batch)));
    return writers;
  }

  /** The transactional id of a redrive of that topic. */
  public static String transactionalId(String records) {
    return RedriveSender.transactionalId(records);
  }

  private void checkTopics() {
    for (TopicDifference difference : clients.topics().verify()) {
      boolean concerns =
          difference.topic().equals(request.records())
              || request.targets().contains(difference.topic());
      if (concerns && difference.isFatal()) {
        throw new KafkaException(difference.toString());
      }
    }
  }

  /** Checks the topic of marks, which prevent that a record counts twice. */
  private void checkMarks() {
    for (TopicDifference difference : clients.topics().verifyRedriven(request.records())) {
      if (difference.isFatal()) {
        throw new KafkaException(difference.toString());
      }
    }
  }

  private int roomForBatch(int maxMessageBytes) {
    Origin longest = new Origin(request.records(), SensorPartition.COUNT, Long.MAX_VALUE);
    byte[] longestKey = new byte[request.limits().maxIdBytes()];
    int onTopic =
        new SizeGuard(maxMessageBytes)
            .roomForValue(longestKey, DeadLetterHeaders.ofRedrive(longest, LONGEST_APPLICATION));
    return Math.min(onTopic, request.limits().maxRecordBytes());
  }

  private String marksTopic() {
    return TopicNames.redriven(request.records());
  }

  /**
   * Looks for what decides about the records: for copies, since the application would count batches
   * again that it has forgotten or never read, and for windows, since a record of what is redriven
   * alone would become the newest one.
   */
  private void look() {
    resets = new ResetGateways(request.maxFutureSkewMs());
    copies = new CountedCopies(request.readings(), resets, request.maxFutureSkewMs());
    unread = new UnreadBatches(request.readings(), clients.lives());
    if (request.force() || request.isOfEvents()) {
      return;
    }
    try (Consumer<byte[], byte[]> reader = clients.reader().get()) {
      if (orders().isPresent()) {
        ordersEnd = resets.read(reader, orders().get(), request.readings());
      }
      long sinceMs = resets.isEmpty() ? request.filter().sinceMs() : 0;
      TopicScan letters = new TopicScan(reader, partitions(), sinceMs);
      while (!letters.isDone()) {
        for (ConsumerRecord<byte[], byte[]> each : letters.next()) {
          look(new RedriveRecord(each));
        }
      }
      copies.look(reader, splitter::batchOf);
      unread.look(reader, splitter::batchOf);
      request
          .windows()
          .filter(topic -> clients.topics().id(topic).isPresent())
          .ifPresent(
              topic -> {
                clients.lives().requireNewest(reader, topic);
                published.look(reader, clients.values(), topic);
              });
    }
  }

  /** The topic of orders; empty if it does not matter, or is missing. */
  private Optional<String> orders() {
    return request
        .control()
        .filter(topic -> !request.force() && clients.topics().id(topic).isPresent());
  }

  private void look(RedriveRecord record) {
    if (clients.lives().wrote(record)) {
      Optional<BatchName> whole = splitter.batchOf(record.record());
      copies.add(record, whole);
      whole.ifPresent(batch -> unread.refused(batch, record.originOffset()));
    } else if (isUnread(record)) {
      nameOf(record).ifPresent(unread::add);
    } else {
      return;
    }
    if (record.isWithheld()
        && request.filter().reasons().contains(RejectReason.WITHHELD)
        && request.filter().fits(record)) {
      splitter.addWithheld(record);
    }
  }

  /** The sequenced batch that a record comes from, as a whole or a part of it. */
  private Optional<BatchName> nameOf(RedriveRecord record) {
    return record.sequencedBatch().or(() -> splitter.batchOf(record.record()));
  }

  /**
   * The running life has not read it, so nobody has counted it or will. A late reading is none: its
   * window was emitted for the last time.
   */
  private boolean isUnread(RedriveRecord record) {
    return !record.reasonName().isEmpty() && isRead(record) == UnreadOffsets.Answer.UNREAD;
  }

  private UnreadOffsets.Answer isRead(RedriveRecord record) {
    return clients
        .lives()
        .of(record.partition())
        .map(life -> record.isReadBy(life, request.readings()))
        .orElse(UnreadOffsets.Answer.NOT_KNOWN);
  }

  private List<TopicPartition> partitions() {
    return IntStream.range(0, SensorPartition.COUNT)
        .mapToObj(partition -> new TopicPartition(request.records(), partition))
        .toList();
  }

  /** Reads all existing partitions, because a new consumer may not know them yet. */
  private void readMarks(int markPartitions) {
    if (markPartitions == 0) {
      return;
    }
    int others = 0;
    try (Consumer<byte[], byte[]> reader = clients.reader().get()) {
      Map<TopicPartition, Long> ends = reader.endOffsets(partitions());
      List<TopicPartition> partitions =
          IntStream.range(0, markPartitions)
              .mapToObj(partition -> new TopicPartition(marksTopic(), partition))
              .toList();
      TopicScan pass = new TopicScan(reader, partitions, 0);
      while (!pass.isDone()) {
        for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
          others += addMark(record, ends) ? 0 : 1;
        }
      }
    }
    if (others > 0) {
      LOG.warn("{} records of {} are not marks and are left out", others, marksTopic());
    }
  }

  /** Whether a record is a mark; a redrive writes no other. */
  private boolean addMark(
      ConsumerRecord<byte[], byte[]> record, Map<TopicPartition, Long> endsOfRecords) {
    try {
      RedriveMark mark = Protobuf.read(RedriveMark.getDefaultInstance(), record.value());
      TopicPartition partition = new TopicPartition(request.records(), mark.getPartition());
      marks.add(mark, endsOfRecords.getOrDefault(partition, 0L));
      return true;
    } catch (UndecodableException e) {
      return false;
    }
  }

  private RedriveReport read(RedriveListener watch, RedriveSender sender) {
    try (Consumer<byte[], byte[]> reader = clients.reader().get()) {
      TopicScan pass = new TopicScan(reader, partitions(), request.filter().sinceMs());
      offsetsInAll = pass.inAll();
      look(); // Behind the end of the pass: of each of its records is known what it needs.
      while (!pass.isDone() && !watch.isStopped()) {
        List<ConsumerRecord<byte[], byte[]>> some = pass.next();
        process(some, sender);
        while (sender != null && sender.isSending() && isOutdated(sender, reader)) {
          sender.abort();
          look();
          process(some, sender);
        }
        if (sender != null) {
          if (sender.isSending()) {
            clients.lives().requireUnchanged();
          }
          sender.commit();
        }
        tally.left().forEach(watch::left);
        tally.batchIds().forEach(batchesOfThisRun::add);
        total.add(tally);
        offsetsLookedAt = pass.passed();
        watch.progress(report());
      }
      return report();
    }
  }

  /**
   * Whether a gateway was reset after what is to be committed was decided. What was sent before the
   * order is before the order's mark, too: the application still knows what it has counted.
   */
  private boolean isOutdated(RedriveSender sender, Consumer<byte[], byte[]> reader) {
    sender.flush();
    return orders()
        .map(topic -> new TopicPartition(topic, 0))
        .filter(topic -> reader.endOffsets(Set.of(topic)).get(topic) > ordersEnd)
        .isPresent();
  }

  private void process(List<ConsumerRecord<byte[], byte[]>> some, RedriveSender sender) {
    tally = new RedriveTally();
    for (ConsumerRecord<byte[], byte[]> each : some) {
      RedriveRecord record = new RedriveRecord(each);
      if (request.fits(record)) {
        ResendOutcome outcome = decide(record, sender);
        tally.add(outcome);
        if (outcome == ResendOutcome.NOT_KNOWN) {
          tally.leave(notKnown(record));
        }
      }
    }
  }

  private String notKnown(RedriveRecord record) {
    return request.records()
        + " partition "
        + record.partition()
        + " offset "
        + record.offset()
        + " is not sent: "
        + nameOf(record).orElseThrow()
        + (clients.lives().wrote(record)
            ? " may have been counted before the gateway was reset, and "
            : " was refused by another state; a copy may be counted already or later, and ")
        + request.readings()
        + " does not show it; --force sends it, and it may count twice";
  }

  private ResendOutcome decide(RedriveRecord record, RedriveSender sender) {
    if (!request.force() && marks.contains(record.partition(), record.offset())) {
      return ResendOutcome.SENT_BEFORE;
    }
    if (!request.returned() && record.cameBack()) {
      return ResendOutcome.CAME_BACK;
    }
    if (request.isOfEvents()) {
      Resend parts = events.open(record, room);
      boolean isHandled = record.application().map(clients.runs()::test).orElse(true);
      return parts.outcome() == ResendOutcome.SENT && !isHandled
          ? ResendOutcome.NOT_RUNNING
          : send(record, parts, sender);
    }
    Optional<ResendOutcome> ofLife = ofLife(record);
    if (ofLife.isPresent()) {
      return ofLife.get();
    }
    if (record.reason().filter(this::isPerhapsCounted).isPresent()) {
      return ResendOutcome.PERHAPS_COUNTED;
    }
    if (record.reason().filter(this::isNotProven).isPresent()) {
      return ResendOutcome.NOT_PROVEN;
    }
    boolean isWithheld = record.isWithheld();
    if (isWithheld && !request.filter().reasons().contains(RejectReason.WITHHELD)) {
      return ResendOutcome.WITHHELD;
    }
    if (isWithheld && !isAccepted(record)) {
      return ResendOutcome.NOT_ACCEPTED;
    }
    Optional<ResendOutcome> ofCopies = ofCopies(record);
    if (ofCopies.isPresent()) {
      return ofCopies.get();
    }
    boolean keepSequence = !request.force() && !isPassed(record);
    Resend parts = splitter.open(record, clockMs.getAsLong(), room, keepSequence);
    if (parts.outcome() == ResendOutcome.SENT && isRepeat(parts)) {
      return ResendOutcome.DUPLICATE;
    }
    tally.addPublished(parts.publishedReadings());
    return send(record, parts, sender);
  }

  /**
   * The reason to skip a record that the running life did not write; empty if it is sent. Where the
   * application has read the readings of another life too, it has counted them, or written a record
   * of its own.
   */
  private Optional<ResendOutcome> ofLife(RedriveRecord record) {
    if (request.force() || clients.lives().wrote(record)) {
      return Optional.empty();
    }
    if (clients.lives().of(record.partition()).isEmpty()) {
      return Optional.of(ResendOutcome.NO_LIFE);
    }
    if (!isUnread(record)) {
      boolean isRead = isRead(record) == UnreadOffsets.Answer.READ;
      return Optional.of(isRead ? ResendOutcome.EARLIER_LIFE : ResendOutcome.PERHAPS_UNREAD);
    }
    Optional<UnreadBatches.Fate> fate = fate(record);
    if (fate.filter(one -> one == UnreadBatches.Fate.JUDGED).isPresent()) {
      return Optional.of(ResendOutcome.EARLIER_LIFE);
    }
    // A part has no sequence: a copy of its batch that comes later would count too.
    boolean isPart = splitter.batchOf(record.record()).isEmpty();
    boolean isUnknown =
        fate.filter(
                one -> one == UnreadBatches.Fate.UNKNOWN || one == UnreadBatches.Fate.NEW && isPart)
            .isPresent();
    return isUnknown ? Optional.of(ResendOutcome.NOT_KNOWN) : Optional.empty();
  }

  /** Whether the running life would refuse the sequence of a batch that it has not read. */
  private boolean isPassed(RedriveRecord record) {
    return isUnread(record)
        && fate(record).filter(one -> one == UnreadBatches.Fate.PASSED).isPresent();
  }

  private Optional<UnreadBatches.Fate> fate(RedriveRecord record) {
    return nameOf(record)
        .map(batch -> unread.fate(batch, record.originOffset(), resets.mayHaveForgotten(batch)));
  }

  private ResendOutcome send(RedriveRecord record, Resend parts, RedriveSender sender) {
    if (parts.outcome() == ResendOutcome.SENT) {
      tally.add(parts);
      if (sender != null) {
        sender.send(record, parts);
      }
    }
    return parts.outcome();
  }

  private boolean isAccepted(RedriveRecord record) {
    return record.originPartition().matches("[0-9]{1,9}")
        && record.gap().filter(gap -> isAccepted(record, gap)).isPresent();
  }

  /** The gap is that of the life in front of it, and one of the life behind it, too. */
  private boolean isAccepted(RedriveRecord record, Gap gap) {
    int partition = Integer.parseInt(record.originPartition());
    return Stream.concat(Stream.of(gap.life()), record.life().stream())
        .anyMatch(
            life -> clients.lossAccepted().test(partition, new Gap(life, gap.from(), gap.to())));
  }

  /** The reason to skip a batch whose gateway was reset; empty if it is sent. */
  private Optional<ResendOutcome> ofCopies(RedriveRecord record) {
    if (copies.isEmpty()) {
      return Optional.empty();
    }
    return splitter
        .batchOf(record.record())
        .map(
            batch ->
                copies.isCounted(batch)
                    ? ResendOutcome.COUNTED
                    : copies.isUnknown(batch) ? ResendOutcome.NOT_KNOWN : null);
  }

  private boolean isPerhapsCounted(RejectReason reason) {
    return PERHAPS_COUNTED.contains(reason) && !request.filter().reasons().contains(reason);
  }

  /** The signature of the redrive would make a forgery valid. */
  private boolean isNotProven(RejectReason reason) {
    return NOT_PROVEN.contains(reason) && !request.filter().reasons().contains(reason);
  }

  private boolean isRepeat(Resend parts) {
    boolean sentBefore = !request.force() && marks.hasBatch(parts.batchId());
    return parts.batchId() != 0
        && (sentBefore
            || batchesOfThisRun.contains(parts.batchId())
            || !tally.addBatch(parts.batchId()));
  }

  private RedriveReport report() {
    return total.report(offsetsLookedAt, offsetsInAll);
  }
}
