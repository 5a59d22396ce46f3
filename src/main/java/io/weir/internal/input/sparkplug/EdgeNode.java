package io.weir.internal.input.sparkplug;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** What is known of an edge node. Not thread-safe. */
final class EdgeNode {
  static final long NO_BD_SEQ = -1;

  private static final int SEQUENCES = 256;

  /** Of the births that are known. */
  enum State {
    /** All are known. */
    ONLINE,
    /** One may have been missed: aliases are not used. */
    UNSURE,
    OFFLINE
  }

  /** A message that came before its turn. */
  record Early(SparkplugMessage message, int sequence) {}

  final String group;
  final String key;
  final Memory.Share memory;
  final Births own;
  final Map<String, Births> devices = new TreeMap<>();
  final Deque<Early> early = new ArrayDeque<>();
  final RebirthPace pace = new RebirthPace();
  State state = State.UNSURE;
  final long sinceNanos;

  /** Whether it keeps its place while others come. */
  boolean known;

  long bdSeq = NO_BD_SEQ;
  long earlyBytes;

  /** Whether its birth was ever known. */
  boolean born;

  /** Whether the connection to the broker broke since its birth. */
  boolean reconnected;

  /** When the oldest message that came early has waited long enough. */
  long earlyUntilNanos;

  private int expected;
  private long lastChecksum;

  EdgeNode(String group, String key, Memory memory, long nowNanos) {
    this.group = group;
    this.key = key;
    this.sinceNanos = nowNanos;
    this.memory = memory.share();
    this.own = new Births(this.memory);
  }

  boolean isExpected(int sequence) {
    return sequence == expected;
  }

  /** Whether it has the sequence and the bytes of the last message. */
  boolean isRepeat(SparkplugMessage message, int sequence) {
    return sequence == ((expected + SEQUENCES - 1) % SEQUENCES)
        && message.checksum() == lastChecksum;
  }

  /** Whether the message came early before. */
  boolean hasEarly(SparkplugMessage message, int sequence) {
    for (Early each : early) {
      if (each.sequence == sequence && Arrays.equals(each.message.body(), message.body())) {
        return true;
      }
    }
    return false;
  }

  /** A message of that sequence is applied; the next one follows it. */
  void follow(SparkplugMessage message, int sequence) {
    expected = (sequence + 1) % SEQUENCES;
    lastChecksum = message.checksum();
  }

  /** How far a sequence is from the expected one. */
  int distance(int sequence) {
    return (sequence - expected + SEQUENCES) % SEQUENCES;
  }

  /** Forgets the births of its devices. */
  void forgetDevices() {
    devices.values().forEach(Births::clear);
    devices.clear();
  }
}
