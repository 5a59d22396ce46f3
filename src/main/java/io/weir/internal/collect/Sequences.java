package io.weir.internal.collect;

import io.weir.topic.SensorPartition;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The last sequence of each channel and partition; 0 for none. Immutable. */
final class Sequences {
  static final Sequences NONE =
      new Sequences(new long[Channel.values().length * SensorPartition.COUNT]);

  private final long[] last;

  private Sequences(long[] last) {
    this.last = last;
  }

  static Sequences of(Long[] column) {
    long[] last = new long[NONE.last.length];
    for (int i = 0; i < column.length; i++) {
      last[i] = column[i];
    }
    return new Sequences(last);
  }

  /** The column in weir_collector. */
  Long[] column() {
    return Arrays.stream(last).boxed().toArray(Long[]::new);
  }

  long last(Channel channel, int partition) {
    return last[channel.ordinal() * SensorPartition.COUNT + partition];
  }

  /** Whether any is lower than that of the other ones. */
  boolean isBefore(Sequences other) {
    return IntStream.range(0, last.length).anyMatch(i -> last[i] < other.last[i]);
  }

  /** Continues these sequences. One thread. */
  static final class Counter {
    private final long[] last;

    Counter(Sequences from) {
      this.last = from.last.clone();
    }

    long next(Channel channel, int partition) {
      return ++last[channel.ordinal() * SensorPartition.COUNT + partition];
    }

    Sequences now() {
      return new Sequences(last.clone());
    }
  }
}
