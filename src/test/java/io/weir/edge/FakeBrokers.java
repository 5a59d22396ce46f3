package io.weir.edge;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Brokers whose every answer the test decides. Like a producer with one request in flight, a sender
 * of theirs lets batches of a partition reach the topic in order, and after its first failure
 * nothing more; but a request that was already on its way may still arrive later, as a ghost.
 */
final class FakeBrokers implements BatchSender.Factory {
  private static final int PARTITIONS = 64;

  private final List<List<byte[]>> topic = new ArrayList<>();
  private final List<Ghost> ghosts = new ArrayList<>();
  private FakeSender sender;
  private int opened;
  private boolean refusingToOpen;
  private boolean refusingSends;
  private boolean answering;
  private int takenUpToBytes = Integer.MAX_VALUE;
  private final Set<Integer> leaderless = new HashSet<>();

  /** Batches of one partition that were on their way when the sender was stopped. */
  private record Ghost(int partition, List<byte[]> values) {}

  FakeBrokers() {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      topic.add(new ArrayList<>());
    }
  }

  /** Brokers that acknowledge at once. */
  static FakeBrokers answering() {
    FakeBrokers brokers = new FakeBrokers();
    brokers.answering = true;
    return brokers;
  }

  @Override
  public BatchSender open() {
    if (refusingToOpen) {
      throw new IllegalStateException("no broker's name can be resolved");
    }
    if (sender != null && !sender.isClosed()) {
      throw new AssertionError("a second sender beside one that is not closed");
    }
    opened++;
    sender = new FakeSender(this, PARTITIONS);
    return sender;
  }

  /** What would answer for the brokers in the sender has died. */
  void die() {
    sender.die();
  }

  void refuseToOpen(boolean refusing) {
    refusingToOpen = refusing;
  }

  void refuseSends(boolean refusing) {
    refusingSends = refusing;
  }

  boolean areRefusingSends() {
    return refusingSends;
  }

  boolean areAnswering() {
    return answering;
  }

  /** The process that had the sender is dead. */
  void forgetSender() {
    failAll();
    sender = null;
  }

  /** These partitions have no leader from now on: what is sent to them is not answered. */
  void leaderless(Set<Integer> partitions) {
    leaderless.clear();
    leaderless.addAll(partitions);
  }

  /** The oldest batch of each partition without a leader was not delivered in time. */
  void expireLeaderless() {
    for (int partition : Set.copyOf(leaderless)) {
      if (sender != null && !sender.isStopped() && !sender.firstOf(partition, 1).isEmpty()) {
        sender.expire(partition);
      }
    }
  }

  /** Larger batches are refused from now on. */
  void takeUpTo(int bytes) {
    takenUpToBytes = bytes;
  }

  int opened() {
    return opened;
  }

  /** What is on the topic, repeats included. */
  List<byte[]> topic(int partition) {
    return topic.get(partition);
  }

  /** The same, of all partitions. */
  List<List<byte[]>> topic() {
    return topic;
  }

  List<byte[]> wholeTopic() {
    return topic.stream().flatMap(List::stream).toList();
  }

  /** Batches handed over and not answered. */
  int unanswered() {
    return sender == null ? 0 : sender.unanswered();
  }

  void acknowledgeAll() {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      acknowledge(partition, Integer.MAX_VALUE);
    }
  }

  /** The first batches of a partition reach the topic and are acknowledged, if not too large. */
  void acknowledge(int partition, int batches) {
    if (sender == null || sender.isStopped() || leaderless.contains(partition)) {
      return;
    }
    for (int i = 0; i < batches && !sender.firstOf(partition, 1).isEmpty(); i++) {
      sender.answer(partition, takenUpToBytes);
    }
  }

  /** Everything under way is answered with a failure, having reached nothing. */
  void failAll() {
    if (sender != null) {
      sender.fail(new IllegalStateException("the brokers failed"));
    }
  }

  /**
   * A random one of the things that brokers and networks do: acknowledge, reach the topic and lose
   * the answer, expire with requests still on their way, refuse, lose leaders; or let a ghost
   * arrive.
   */
  void actAtRandom(Random random) {
    int partition = random.nextInt(PARTITIONS);
    int batches = 1 + random.nextInt(3);
    switch (random.nextInt(13)) {
      case 0 -> {
        reach(partition, batches);
        failAll();
      }
      case 1 -> {
        leaveGhosts(random);
        failAll();
      }
      case 2 -> failAll();
      case 3 -> refusingSends = random.nextBoolean();
      case 4 -> refusingToOpen = random.nextBoolean();
      case 5 -> takeUpTo(random.nextBoolean() ? 40 + random.nextInt(100) : Integer.MAX_VALUE);
      case 6, 7 -> arriveAtRandom(random);
      case 8 -> leaderless(random.nextBoolean() ? Set.of() : someOf(random));
      case 9 -> expireLeaderless();
      default -> acknowledgeSome(random);
    }
  }

  void heal() {
    refusingSends = false;
    refusingToOpen = false;
    takeUpTo(Integer.MAX_VALUE);
    leaderless(Set.of());
    while (!ghosts.isEmpty()) {
      arrive(ghosts.size() - 1);
    }
  }

  private static Set<Integer> someOf(Random random) {
    Set<Integer> some = new HashSet<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      if (random.nextBoolean()) {
        some.add(partition);
      }
    }
    return some;
  }

  private void acknowledgeSome(Random random) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      acknowledge(partition, random.nextInt(4));
    }
  }

  /** They are on the topic, and their sender gets no response. */
  private void reach(int partition, int batches) {
    if (sender != null && !sender.isStopped()) {
      sender.firstOf(partition, batches).forEach(topic.get(partition)::add);
    }
  }

  private void leaveGhosts(Random random) {
    for (int partition = 0; sender != null && partition < PARTITIONS; partition++) {
      if (!sender.isStopped() && random.nextBoolean()) {
        ghosts.add(new Ghost(partition, sender.firstOf(partition, 1 + random.nextInt(3))));
      }
    }
  }

  private void arriveAtRandom(Random random) {
    if (!ghosts.isEmpty()) {
      arrive(random.nextInt(ghosts.size()));
    }
  }

  private void arrive(int index) {
    Ghost ghost = ghosts.remove(index);
    topic.get(ghost.partition()).addAll(ghost.values());
  }
}
