package io.weir.internal.app;

import io.weir.internal.time.Daemons;
import io.weir.topic.KafkaFutures;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTransactionsOptions;
import org.apache.kafka.clients.admin.DescribeTransactionsResult;
import org.apache.kafka.clients.admin.FenceProducersOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends open transactions of former members in partitions that this process now owns. Until they
 * end, read_committed consumers can read neither the partitions' offsets nor later records; each
 * ends at its transaction timeout anyway.
 *
 * <p>Kafka assigns a partition to one member, and a member commits before it gives up a partition.
 * So an open transaction of the same application, by another producer, on the partition's outputs
 * will not be committed, or its member has not noticed yet that it was replaced. The coordinator
 * aborts it, as at the timeout; a decision that it made before, it completes ({@link
 * Admin#fenceProducers}). A transaction that may be half committed is not aborted, but counted:
 * {@link HalfEndedTransactions}. Without the right to check, none is aborted.
 *
 * <p>A separate thread queries the coordinators after an assignment of partitions until all have
 * answered, and once more {@value #ONCE_MORE_MS} ms later. Safe for many threads.
 */
final class AbandonedTransactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AbandonedTransactions.class);

  /** Between two attempts. */
  private static final long AGAIN_MS = 1_000;

  /** Then all are queried once more: requests that were in flight have arrived. */
  private static final long ONCE_MORE_MS = 5_000;

  /** The longest wait for an answer of the brokers. */
  private static final int ANSWER_MS = 5_000;

  private final StreamsPlan plan;
  private final Supplier<Admin> connect;

  /** The transactional ids of Kafka Streams: application, process, thread. */
  private final Pattern idOfMember;

  private final Set<TopicPartition> assigned = ConcurrentHashMap.newKeySet();

  /** Assigned partitions that were not checked yet. */
  private final Set<TopicPartition> unasked = ConcurrentHashMap.newKeySet();

  /**
   * Transactional ids of this process, with the number of producers: a new one is created before
   * the old one is closed.
   */
  private final Map<String, Integer> producersById = new ConcurrentHashMap<>();

  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("weir-abandoned-transactions"));
  private final Set<Seen> reported = new HashSet<>();
  private final Map<String, Seen> seenHalfEnded = new HashMap<>();
  private final AtomicLong halfEnded = new AtomicLong();
  private Admin admin;

  /** A transaction that seemed half committed once. */
  private record Seen(long producerId, int epoch, OptionalLong startMs) {}

  /**
   * @param connect creates a client when needed
   */
  AbandonedTransactions(StreamsPlan plan, Supplier<Admin> connect) {
    this.plan = plan;
    this.connect = connect;
    this.idOfMember = Pattern.compile(Pattern.quote(plan.applicationId()) + "-[0-9a-f-]{36}-\\d+");
  }

  /** Adds a producer of this process. */
  void opened(String transactionalId) {
    producersById.merge(transactionalId, 1, Integer::sum);
  }

  /** Removes a producer of this process. */
  void closed(String transactionalId) {
    producersById.computeIfPresent(
        transactionalId, (id, producers) -> producers > 1 ? producers - 1 : null);
  }

  /** Input partitions were assigned to this process. */
  void assigned(Collection<TopicPartition> partitions) {
    if (partitions.isEmpty()) {
      return;
    }
    Set<TopicPartition> given = Set.copyOf(partitions);
    assigned.addAll(given);
    try {
      executor.execute(() -> ask(given));
      executor.schedule(() -> ask(given), ONCE_MORE_MS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed", e);
    }
  }

  /** Input partitions were revoked. */
  void revoked(Collection<TopicPartition> partitions) {
    assigned.removeAll(partitions);
  }

  /** Transactions that may be half committed and were not aborted. */
  long halfEnded() {
    return halfEnded.get();
  }

  private void ask(Set<TopicPartition> given) {
    unasked.addAll(given);
    endOrTryAgain();
  }

  private void endOrTryAgain() {
    Set<TopicPartition> asked = Set.copyOf(unasked);
    unasked.removeAll(asked);
    try {
      if (!asked.isEmpty()) {
        endIn(asked);
      }
    } catch (AuthorizationException e) {
      LOG.warn(
          "could not abort transactions of former members; they end at transaction.timeout.ms; READ on"
              + " __consumer_offsets lets this process check and abort them: {}",
          e.toString());
    } catch (InterruptException e) {
      LOG.debug("closed", e);
    } catch (KafkaException e) {
      LOG.debug("the coordinators did not answer", e);
      unasked.addAll(asked);
      executor.schedule(this::endOrTryAgain, AGAIN_MS, TimeUnit.MILLISECONDS);
    }
  }

  private void endIn(Set<TopicPartition> asked) {
    if (admin == null) {
      admin = connect.get();
    }
    ListTransactionsOptions open =
        new ListTransactionsOptions()
            .filterStates(List.of(TransactionState.ONGOING))
            .timeoutMs(ANSWER_MS);
    KafkaException silent = null;
    for (KafkaFuture<Collection<TransactionListing>> ofBroker :
        KafkaFutures.await(admin.listTransactions(open).byBrokerId()).values()) {
      try {
        endIn(asked, KafkaFutures.await(ofBroker));
      } catch (AuthorizationException | InterruptException e) {
        throw e;
      } catch (KafkaException e) {
        silent = e;
      }
    }
    if (silent != null) {
      throw silent;
    }
  }

  private void endIn(Set<TopicPartition> asked, Collection<TransactionListing> open) {
    List<String> ids =
        open.stream()
            .map(TransactionListing::transactionalId)
            .filter(id -> idOfMember.matcher(id).matches() && !producersById.containsKey(id))
            .toList();
    DescribeTransactionsResult described =
        admin.describeTransactions(ids, new DescribeTransactionsOptions().timeoutMs(ANSWER_MS));
    Map<String, TransactionDescription> found = new TreeMap<>();
    for (String id : ids) {
      try {
        found.put(id, KafkaFutures.await(described.description(id)));
      } catch (TransactionalIdNotFoundException e) {
        LOG.debug("it has ended", e);
      }
    }
    Map<String, List<TopicPartition>> abandoned = new TreeMap<>();
    found.forEach((id, transaction) -> abandoned.put(id, openIn(asked, transaction)));
    abandoned
        .entrySet()
        .removeIf(each -> each.getValue().isEmpty() || producersById.containsKey(each.getKey()));
    abandoned
        .entrySet()
        .removeIf(each -> mayBeHalfEnded(asked, each.getKey(), found.get(each.getKey())));
    if (abandoned.isEmpty()) {
      return;
    }
    FenceProducersOptions options = new FenceProducersOptions().timeoutMs(ANSWER_MS);
    KafkaFutures.await(admin.fenceProducers(abandoned.keySet(), options).all());
    abandoned.forEach(
        (id, where) ->
            LOG.info("aborted the open transaction of {}, a former member, on {}", id, where));
  }

  /** After the first sign, checks again soon: the transaction may be in use. */
  private boolean mayBeHalfEnded(
      Set<TopicPartition> asked, String id, TransactionDescription transaction) {
    Optional<TopicPartition> ended =
        new HalfEndedTransactions(admin, ANSWER_MS).endedIn(id, transaction);
    if (ended.isEmpty()) {
      seenHalfEnded.remove(id);
      return false;
    }
    Seen now =
        new Seen(
            transaction.producerId(),
            transaction.producerEpoch(),
            transaction.transactionStartTimeMs());
    Seen before = seenHalfEnded.put(id, now);
    if (!now.equals(before)) {
      unasked.addAll(asked);
      executor.schedule(this::endOrTryAgain, AGAIN_MS, TimeUnit.MILLISECONDS);
    } else if (reported.add(now)) {
      halfEnded.incrementAndGet();
      LOG.error(
          "the transaction of {}, producer {} epoch {}, has ended in {} and is open in its"
              + " coordinator, which may have lost the decision to commit. It was not aborted: after"
              + " an abort, windows may lack readings whose offsets are committed: see"
              + " docs/operate/runbook.md, Hanging transaction",
          id,
          transaction.producerId(),
          transaction.producerEpoch(),
          ended.get());
    }
    return true;
  }

  /** The assigned partitions with outputs in an open transaction. */
  private List<TopicPartition> openIn(
      Set<TopicPartition> asked, TransactionDescription transaction) {
    return asked.stream()
        .filter(input -> transaction.state() == TransactionState.ONGOING)
        .filter(input -> assigned.contains(input) && hasOutputs(transaction, input))
        .toList();
  }

  /** Whether a transaction includes outputs of a partition. */
  private boolean hasOutputs(TransactionDescription transaction, TopicPartition input) {
    return plan.outputsOf(input.topic()).stream()
        .map(topic -> new TopicPartition(topic, input.partition()))
        .anyMatch(transaction.topicPartitions()::contains);
  }

  @Override
  public void close() {
    executor.shutdownNow();
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
