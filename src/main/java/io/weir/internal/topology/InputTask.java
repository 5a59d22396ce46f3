package io.weir.internal.topology;

import io.weir.internal.deadletter.Origin;
import io.weir.internal.store.HeapStore;
import io.weir.internal.store.InputState;
import io.weir.internal.store.StateMismatchException;
import io.weir.internal.store.Timestamps;
import io.weir.internal.wire.Tick;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The common part of processors with a heap store and one input topic. A processor calls, in this
 * order:
 *
 * <ol>
 *   <li>in {@code init}: the constructor, then {@link #start};
 *   <li>for each record: {@link #leavesOut}, and nothing else if it returns true; then operations
 *       that may block or fail; {@link #begin}; changes of the state and output; {@link #end};
 *   <li>in {@code close}: {@link #close}.
 * </ol>
 *
 * <p>Ticks are records too: {@link #isTick}; they go through {@code begin} and {@code end}, and
 * what is due is done with them as with any other record. Called by the task's thread only. Costs a
 * few field accesses and a reading of the clock a record.
 *
 * @param <S> the state of the task
 */
public final class InputTask<S extends InputState> {
  /** How much of what is due is done with one record, at the most; the rest asks for a tick. */
  public static final int UPKEEP_SLICE = 10_000;

  private static final long LOOK_WHILE_HALTED_MS = 1_000;
  private static final long NONE = -1;

  private final ProcessorContext<?, ?> context;
  private final TaskServices services;
  private final HeapStore<S> store;
  private final S state;
  private final int partition;
  private final TickTimes times;
  private final TickClock tickClock;
  private final LeaderClocks leaderClocks;
  private boolean stateChecked;

  /** Of before the record at hand, which {@link #begin} is to show to the state. */
  private InputLog.Missing missing = InputLog.Missing.NONE;

  /** Offset of the record left out last; {@link #NONE} where the record at hand comes next. */
  private long leftOut = NONE;

  private long awaited;
  private boolean awaitedIsBefore;

  /**
   * The task takes its partition over: the state has been read back.
   *
   * @param storeName the heap store of the task
   * @param topic the input topic
   * @param times how soon ticks are asked for
   * @param appendTimeWentBack is run where a record's append time is behind that of the one before
   */
  public InputTask(
      ProcessorContext<?, ?> context,
      String storeName,
      String topic,
      TickTimes times,
      TaskServices services,
      Runnable appendTimeWentBack) {
    this.context = context;
    this.services = services;
    this.times = times;
    this.partition = context.taskId().partition();
    this.tickClock = new TickClock(times.quietMs());
    this.leaderClocks = new LeaderClocks(topic, partition, appendTimeWentBack);
    this.store = context.getStateStore(storeName);
    store.resume();
    this.state = store.state();
    if (services.input().isHalted(partition)) {
      context.schedule(
          Duration.ofMillis(LOOK_WHILE_HALTED_MS),
          PunctuationType.WALL_CLOCK_TIME,
          wallClockMs -> lookWhileHalted());
    }
  }

  /** Once a person has decided, the task is read back, and Streams reads its partition again. */
  private void lookWhileHalted() {
    if (!services.input().isHalted(partition)) {
      throw new TaskCorruptedException(Set.of(context.taskId()));
    }
    services.progress().taken(partition, state.appendMs());
  }

  /**
   * Begins to look at the clock, which asks for ticks and decides nothing: a tick comes back as a
   * record, and what it sets off is committed with its offset, which the brokers refuse of a member
   * that was replaced. A change or output without a record would be refused to nobody.
   *
   * @param onLook called at each look at the clock, with the time of the monotonic clock; must
   *     change and send nothing
   */
  public void start(LongConsumer onLook) {
    services.progress().taken(partition, state.appendMs());
    tickClock.begin(nowMs(), state.dueMs() != InputState.NEVER);
    context.schedule(
        Duration.ofMillis(times.lookEveryMs()),
        PunctuationType.WALL_CLOCK_TIME,
        wallClockMs -> look(onLook));
  }

  private void look(LongConsumer onLook) {
    long nowMs = nowMs();
    onLook.accept(nowMs);
    if (services.input().isHalted(partition)) {
      return;
    }
    boolean quiet = tickClock.isQuiet(nowMs) && state.awaitsTime();
    boolean due = tickClock.isDue(nowMs);
    if (tickClock.isHeartbeatDue(nowMs) || quiet || due) {
      services.ticks().ask(partition);
    }
  }

  /** The time of the monotonic clock, in milliseconds. */
  public long nowMs() {
    return services.elapsedMs().getAsLong();
  }

  /** The state that the task keeps. */
  public S state() {
    return state;
  }

  /** The partition of the input topic. */
  public int partition() {
    return partition;
  }

  /** Whether a record has nothing in it and lets time pass. */
  public static boolean isTick(Record<byte[], byte[]> record) {
    return Tick.is(record.value(), record.headers());
  }

  /**
   * Holds the state that was read back against the first record that is applied to it, and later
   * records against those before: Streams 4.3.1 reads from the beginning where a partition lost its
   * end, and goes on behind records that it has not applied where it takes up a task again during a
   * rebalance. Where records in between were deleted before they were read, the state is shown it
   * with {@link #begin}.
   *
   * @return whether another record comes next: the one at hand is to change nothing, and the
   *     consumer has another position
   * @throws TaskCorruptedException if the state is not the one that belongs before the record at
   *     hand: Streams reads this task back, and the record stays where it is
   * @throws TaskMigratedException the same, where the task has applied records: Streams reads back
   *     all of the thread, whose transaction they are in
   */
  public boolean leavesOut() {
    long offset = offset();
    if (leftOut != NONE && isStale(offset)) {
      leftOut = offset;
      return true;
    }
    leftOut = NONE;
    long nextOffset = state.position().nextOffset();
    InputLog input = services.input();
    if (!stateChecked || offset < nextOffset || input.mayHaveJumped(partition)) {
      try {
        // One that has read nothing is new.
        long life = state.runningLife().map(one -> one.life().id()).orElse(0L);
        missing =
            input.requireContinues(partition, state.position().topicId(), life, nextOffset, offset);
      } catch (ReadElsewhereException e) {
        leftOut = offset;
        awaited = e.offset();
        awaitedIsBefore = awaited < offset;
        return true;
      } catch (StateMismatchException e) {
        throw stateChecked
            ? new TaskMigratedException(e.getMessage(), e)
            : new TaskCorruptedException(Set.of(context.taskId()));
      }
      stateChecked = true;
    }
    return false;
  }

  /** Whether a record was fetched before the consumer had its new position. */
  private boolean isStale(long offset) {
    return offset > leftOut
        && (offset < awaited || awaitedIsBefore && offset != awaited)
        && !services.input().mayHaveJumped(partition);
  }

  /** How many records were deleted before they were read, right before the one at hand. */
  public long deletedUnread() {
    return missing.offsets();
  }

  /**
   * From here on the state changes, and belongs to no commit until {@link #end}: what waits, or
   * fails to be read, is to do so before.
   */
  public void begin(Record<byte[], byte[]> record) {
    store.changing();
    if (missing.offsets() > 0) {
      state.deletedUnread(missing.offsets(), missing.wereApplied(), record.timestamp());
      missing = InputLog.Missing.NONE;
    }
    long offset = offset();
    long behindMs = state.observe(record.timestamp(), offset, services.input().topicId());
    if (behindMs > 0) {
      leaderClocks.wentBack(behindMs, offset, nowMs());
    }
  }

  /**
   * The record at hand was applied.
   *
   * @param workLeft whether more is due than was done: asks for a tick soon
   */
  public void end(Record<byte[], byte[]> record, boolean workLeft) {
    store.changed();
    services.progress().processed(partition, record.timestamp());
    long dueMs = state.dueMs();
    long dueInMs = dueMs == InputState.NEVER ? InputState.NEVER : dueMs - record.timestamp();
    tickClock.processed(nowMs(), workLeft, dueInMs);
    if (services.commits().isDueAfter(context.currentSystemTimeMs() - record.timestamp())) {
      context.commit();
    }
    lookForCommit();
  }

  /** A commit that is waited for comes in time where no other record does. */
  private void lookForCommit() {
    long inMs = services.commits().lookInMs();
    if (inMs > 0) {
      Cancellable[] look = new Cancellable[1];
      look[0] =
          context.schedule(
              Duration.ofMillis(inMs),
              PunctuationType.WALL_CLOCK_TIME,
              wallClockMs -> {
                look[0].cancel();
                if (services.commits().isDue()) {
                  context.commit();
                }
                lookForCommit();
              });
    }
  }

  /**
   * Something was emitted with the record at hand that readers wait for: see {@link CommitPace}.
   */
  public void emitted() {
    services.commits().emitted();
  }

  /** A timestamp for what is written with the record at hand: no broker refuses it. */
  public long outputMs(Record<byte[], byte[]> record) {
    return Timestamps.bounded(record.timestamp(), context.currentSystemTimeMs());
  }

  /** The id of the application. */
  String applicationId() {
    return context.applicationId();
  }

  /** Where the record at hand is. */
  public Origin origin() {
    RecordMetadata metadata = context.recordMetadata().orElseThrow();
    return new Origin(metadata.topic(), metadata.partition(), metadata.offset());
  }

  /** Offset of the record at hand. */
  public long offset() {
    return context.recordMetadata().orElseThrow().offset();
  }

  /** The task rests or ends. */
  public void close() {
    store.rest();
    services.progress().gone(partition);
  }

  /**
   * Detects append times of a partition that go back: its leaders' clocks differ. Counted always,
   * logged where it is a second or more, once a minute. Called by the task's thread.
   */
  static final class LeaderClocks {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderClocks.class);
    private static final long LOGGED_FROM_MS = 1000;
    private static final long LOG_EVERY_MS = 60_000;

    private final String topic;
    private final int partition;
    private final Runnable count;
    private boolean logged;
    private long loggedMs;

    /**
     * @param count is run each time
     */
    LeaderClocks(String topic, int partition, Runnable count) {
      this.topic = topic;
      this.partition = partition;
      this.count = count;
    }

    /**
     * @param behindMs how far a record's append time is behind that of the record before
     * @param nowMs of any monotonic clock
     */
    void wentBack(long behindMs, long offset, long nowMs) {
      count.run();
      if (behindMs >= LOGGED_FROM_MS && (!logged || nowMs - loggedMs >= LOG_EVERY_MS)) {
        logged = true;
        loggedMs = nowMs;
        LOG.warn(
            "{} partition {} offset {}: the append time went back by {} ms: the clock of the broker"
                + " that leads it is behind, or that of the one before was ahead; synchronise the"
                + " brokers' clocks",
            topic,
            partition,
            offset,
            behindMs);
      }
    }
  }
}
