package io.weir.edge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;

/** A sender of {@link FakeBrokers}: what it was given waits in its partition for their answer. */
final class FakeSender implements BatchSender {
  private final FakeBrokers brokers;
  private final List<Deque<Sent>> queues = new ArrayList<>();
  private boolean stopped;
  private boolean closed;
  private boolean dead;

  private record Sent(SequencedBatch batch, boolean alone, Outcome outcome) {}

  FakeSender(FakeBrokers brokers, int partitions) {
    this.brokers = brokers;
    for (int partition = 0; partition < partitions; partition++) {
      queues.add(new ArrayDeque<>());
    }
  }

  @Override
  public void send(SequencedBatch batch, Outcome outcome) {
    take(new Sent(batch, false, outcome));
  }

  @Override
  public void sendAlone(SequencedBatch batch, Outcome outcome) {
    if (!stopped && !queues.get(batch.partition()).isEmpty()) {
      throw new AssertionError("sent alone behind another batch");
    }
    take(new Sent(batch, true, outcome));
  }

  @Override
  public void close() {
    closed = true;
    fail(new IllegalStateException("closed"));
  }

  @Override
  public boolean isAlive() {
    return !dead;
  }

  /** Nothing is answered any more. */
  void die() {
    dead = true;
  }

  boolean isStopped() {
    return stopped;
  }

  boolean isClosed() {
    return closed;
  }

  int unanswered() {
    return queues.stream().mapToInt(Deque::size).sum();
  }

  /** The first values that wait for an answer. */
  List<byte[]> firstOf(int partition, int batches) {
    return queues.get(partition).stream().limit(batches).map(sent -> sent.batch().value()).toList();
  }

  /** The first batch of a partition is answered: taken, or refused where it is too large. */
  void answer(int partition, int takenUpToBytes) {
    Sent sent = queues.get(partition).removeFirst();
    if (sent.batch().value().length <= takenUpToBytes) {
      brokers.topic(partition).add(sent.batch().value());
      sent.outcome().accept(null);
      return;
    }
    Exception refusal =
        new BatchRefusedException(sent.batch(), new RecordTooLargeException("too large"));
    sent.outcome().accept(refusal);
    if (!sent.alone()) {
      fail(refusal);
    }
  }

  /** The first batch of a partition was not delivered in time; alone, it stops nothing else. */
  void expire(int partition) {
    Sent sent = queues.get(partition).removeFirst();
    Exception expired = new TimeoutException("30000 ms have passed since batch creation");
    sent.outcome().accept(expired);
    if (!sent.alone()) {
      fail(expired);
    }
  }

  /** Everything under way is answered with the failure, and nothing is sent any more. */
  void fail(Exception cause) {
    stopped = true;
    for (Deque<Sent> queue : queues) {
      while (!queue.isEmpty()) {
        queue.removeFirst().outcome().accept(cause);
      }
    }
  }

  private void take(Sent sent) {
    if (brokers.areRefusingSends()) {
      throw new IllegalStateException("no metadata");
    }
    if (closed) {
      throw new AssertionError("sent with a closed sender");
    }
    Deque<Sent> queue = queues.get(sent.batch().partition());
    if (!queue.isEmpty() && queue.getLast().alone()) {
      throw new AssertionError("sent behind a batch that goes alone");
    }
    queue.addLast(sent);
    if (stopped) {
      fail(new IllegalStateException("the sender failed before"));
    } else if (brokers.areAnswering()) {
      brokers.acknowledge(sent.batch().partition(), 1);
    }
  }
}
