package io.weir.app;

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
 * Ends transactions that members which are gone have left open in partitions that this process has
 * taken over. Until they end, the partitions' offsets cannot be read, nor what is written behind
 * them; by itself each ends with its timeout.
 *
 * <p>Kafka gives a partition to one member, and a member that hands it over has committed before.
 * So an open transaction of the same application that another producer has with the partition's
 * outputs will not be committed, or is that of a member that has not noticed yet that it was
 * replaced. Its coordinator aborts it, as it does by the timeout; what it has decided already, it
 * carries out ({@link Admin#fenceProducers}). One that may be half committed is left alone, and
 * counted: {@link HalfEndedTransactions}. Without the right to look, all are.
 *
 * <p>The coordinators are asked when partitions were assigned, again until all have answered, and
 * once more {@value #ONCE_MORE_MS} ms later, by a thread of its own. Safe for many threads.
 */
final class AbandonedTransactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AbandonedTransactions.class);

  /** Between two attempts. */
  private static final long AGAIN_MS = 1_000;

  /** Then all are asked once more: what was on its way to the brokers has arrived. */
  private static final long ONCE_MORE_MS = 5_000;

  /** The longest wait for an answer of the brokers. */
  private static final int ANSWER_MS = 5_000;

  private final StreamsPlan plan;
  private final Supplier<Admin> connect;

  /** As Streams names them: application, process, thread. */
  private final Pattern idOfMember;

  private final Set<TopicPartition> assigned = ConcurrentHashMap.newKeySet();

  /** Partitions of which nothing was asked since they were assigned. */
  private final Set<TopicPartition> unasked = ConcurrentHashMap.newKeySet();

  /**
   * Ids of this process, and how many producers each has: the next is made before one is closed.
   */
  private final Map<String, Integer> own = new ConcurrentHashMap<>();

  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "weir-abandoned-transactions");
            thread.setDaemon(true);
            return thread;
          });
  private final Set<Seen> reported = new HashSet<>();
  private final Map<String, Seen> seenHalfEnded = new HashMap<>();
  private final AtomicLong halfEnded = new AtomicLong();
  private Admin admin;

  /** A transaction that has seemed to be half committed once. */
  private record Seen(long producerId, int epoch, OptionalLong startMs) {}

  /**
   * @param connect makes a client, once it is needed
   */
  AbandonedTransactions(StreamsPlan plan, Supplier<Admin> connect) {
    this.plan = plan;
    this.connect = connect;
    this.idOfMember = Pattern.compile(Pattern.quote(plan.applicationId()) + "-[0-9a-f-]{36}-\\d+");
  }

  /** A producer of this process begins to write. */
  void opened(String transactionalId) {
    own.merge(transactionalId, 1, Integer::sum);
  }

  /** A producer of this process writes no more. */
  void closed(String transactionalId) {
    own.computeIfPresent(transactionalId, (id, producers) -> producers > 1 ? producers - 1 : null);
  }

  /** Partitions of inputs were assigned to this process. */
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

  /** Partitions of inputs belong to others from here on. */
  void revoked(Collection<TopicPartition> partitions) {
    assigned.removeAll(partitions);
  }

  /** Transactions that may be half committed and were left alone so far. */
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
          "transactions of members that are gone end by their timeout alone; READ on"
              + " __consumer_offsets lets this process look whether it may end them: {}",
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
            .filter(id -> idOfMember.matcher(id).matches() && !own.containsKey(id))
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
        .removeIf(each -> each.getValue().isEmpty() || own.containsKey(each.getKey()));
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
            LOG.info("aborted the open transaction of {}, which is gone: it had {}", id, where));
  }

  /** Said of it once, it is looked at again soon: it is being written to perhaps. */
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
              + " coordinator, which may have lost that it decided to commit: it is left alone; if"
              + " it is aborted, windows lack readings whose offsets are committed: see"
              + " docs/operate/runbook.md, Hanging transaction",
          id,
          transaction.producerId(),
          transaction.producerEpoch(),
          ended.get());
    }
    return true;
  }

  /** The assigned partitions whose outputs are in a transaction that is open. */
  private List<TopicPartition> openIn(
      Set<TopicPartition> asked, TransactionDescription transaction) {
    return asked.stream()
        .filter(input -> transaction.state() == TransactionState.ONGOING)
        .filter(input -> assigned.contains(input) && hasOutputs(transaction, input))
        .toList();
  }

  /** Whether a transaction has written outputs of a partition. */
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
