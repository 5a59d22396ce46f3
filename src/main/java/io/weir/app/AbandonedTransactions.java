package io.weir.app;

import io.weir.topic.KafkaFutures;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTransactionsResult;
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
 * carries out ({@link Admin#fenceProducers}).
 *
 * <p>The coordinators are asked once after partitions were assigned, and again until all have
 * answered, by a thread of its own. Safe for many threads.
 */
final class AbandonedTransactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AbandonedTransactions.class);

  /** Between two attempts. */
  private static final long AGAIN_MS = 1_000;

  private final StreamsPlan plan;
  private final Supplier<Admin> connect;

  /** As Streams names them: application, process, thread. */
  private final Pattern idOfMember;

  private final Set<TopicPartition> assigned = ConcurrentHashMap.newKeySet();

  /** Partitions of which nothing was asked since they were assigned. */
  private final Set<TopicPartition> unasked = ConcurrentHashMap.newKeySet();

  private final Set<String> own = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "weir-abandoned-transactions");
            thread.setDaemon(true);
            return thread;
          });
  private Admin admin;

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
    own.add(transactionalId);
  }

  /** A producer of this process writes no more. */
  void closed(String transactionalId) {
    own.remove(transactionalId);
  }

  /** Partitions of inputs were assigned to this process. */
  void assigned(Collection<TopicPartition> partitions) {
    if (partitions.isEmpty()) {
      return;
    }
    assigned.addAll(partitions);
    unasked.addAll(partitions);
    try {
      executor.execute(this::endOrTryAgain);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed", e);
    }
  }

  /** Partitions of inputs belong to others from here on. */
  void revoked(Collection<TopicPartition> partitions) {
    assigned.removeAll(partitions);
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
          "transactions of members that are gone end by their timeout alone: {}", e.toString());
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
        new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING));
    List<String> ids =
        KafkaFutures.await(admin.listTransactions(open).all()).stream()
            .map(TransactionListing::transactionalId)
            .filter(id -> idOfMember.matcher(id).matches() && !own.contains(id))
            .toList();
    DescribeTransactionsResult described = admin.describeTransactions(ids);
    Map<String, List<TopicPartition>> abandoned = new TreeMap<>();
    for (String id : ids) {
      List<TopicPartition> where = openIn(asked, described.description(id));
      if (!where.isEmpty()) {
        abandoned.put(id, where);
      }
    }
    if (!abandoned.isEmpty()) {
      KafkaFutures.await(admin.fenceProducers(abandoned.keySet()).all());
    }
    abandoned.forEach(
        (id, where) ->
            LOG.info("aborted the open transaction of {}, which is gone: it had {}", id, where));
  }

  /** The assigned partitions whose outputs are in a transaction that is open. */
  private List<TopicPartition> openIn(
      Set<TopicPartition> asked, KafkaFuture<TransactionDescription> description) {
    try {
      TransactionDescription found = KafkaFutures.await(description);
      return asked.stream()
          .filter(input -> found.state() == TransactionState.ONGOING)
          .filter(input -> assigned.contains(input) && hasOutputs(found, input))
          .toList();
    } catch (TransactionalIdNotFoundException e) {
      LOG.debug("it has ended", e);
      return List.of();
    }
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
