package io.weir.internal.store;

import io.weir.internal.alarm.SensorStatuses;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.deadletter.UnreadOffsets;
import io.weir.internal.store.MetaCodec.Meta;
import io.weir.internal.window.PartitionTime;
import io.weir.internal.window.PartitionWindows;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSink;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.GatewayRules;
import io.weir.reading.Gateways;
import io.weir.reading.OwnSequences;
import io.weir.reading.RedrivenParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.apache.kafka.common.Uuid;

/**
 * All that a task keeps of its partition of readings: sensors with their windows, gateways with
 * their sequences, how far it has come, and the settings that it was kept with.
 */
public final class PartitionState implements InputState {
  /** Append times go back by that, where a partition's next leader has another clock. */
  private static final long CLOCKS_DIFFER_MS = 3_600_000;

  private final WindowSpec spec;
  private final PartitionWindows windows;
  private final Gateways gateways;
  private final InputPosition position;
  private final WindowEntries windowEntries;
  private final GatewayEntries gatewayEntries;
  private final OwnerEntries ownerEntries;
  private final SensorStatuses statuses;
  private final StatusEntries statusEntries;
  private final OrderEntries lastOrders = new OrderEntries();
  private final NewestEntry newest;
  private final Gaps gaps = new Gaps();
  private final RedrivenParts redriven = new RedrivenParts();
  private final RedrivenEntries redrivenEntries = new RedrivenEntries(redriven);
  private final OwnSequences own = new OwnSequences();
  private final OwnEntries ownEntries = new OwnEntries(own);

  /** How far behind the first append time that is left the time of deleted readings may end. */
  private final long deletedThroughMs;

  private final LongSupplier lives;
  private long life;
  private UnreadOffsets unread = UnreadOffsets.before(0);

  /** Whether the state holds all that there ever was on the partition. */
  private boolean sinceStart;

  /** The rollups that the state was kept with; null where no record was ever applied to it. */
  private RollupPlan keptRollups;

  /** As below, without status and alarms. */
  public PartitionState(WindowSpec spec, GatewayRules gatewayRules, WindowLimits limits) {
    this(spec, gatewayRules, limits, StatusPlan.OFF);
  }

  /** Starts with an empty partition. */
  public PartitionState(
      WindowSpec spec, GatewayRules gatewayRules, WindowLimits limits, StatusPlan status) {
    this(spec, gatewayRules, limits, status, () -> 1);
  }

  /**
   * The same.
   *
   * @param lives ids of lives, each another one
   */
  public PartitionState(
      WindowSpec spec,
      GatewayRules gatewayRules,
      WindowLimits limits,
      StatusPlan status,
      LongSupplier lives) {
    this(spec, gatewayRules, limits, status, ChangeRing.SLOTS, lives);
  }

  /** For who restores a state to look at its windows. */
  public static PartitionState ofWindows(long sizeMs) {
    return new PartitionState(
        WindowSpec.of(sizeMs, 0, 0, sizeMs, WindowSpec.IdleRule.ENDED, Long.MAX_VALUE),
        GatewayRules.of(0),
        WindowLimits.ofSensors(Integer.MAX_VALUE));
  }

  PartitionState(
      WindowSpec spec,
      GatewayRules gatewayRules,
      WindowLimits limits,
      StatusPlan status,
      int slots) {
    this(spec, gatewayRules, limits, status, slots, () -> 1);
  }

  private PartitionState(
      WindowSpec spec,
      GatewayRules gatewayRules,
      WindowLimits limits,
      StatusPlan status,
      int slots,
      LongSupplier lives) {
    this.lives = lives;
    this.life = lives.getAsLong();
    this.spec = spec;
    this.deletedThroughMs = deletedThroughMs(gatewayRules);
    this.windows = new PartitionWindows(spec, limits);
    this.gateways = new Gateways(gatewayRules);
    this.position = new InputPosition(spec.idleTimeoutMs());
    this.newest = new NewestEntry(position.time());
    this.gatewayEntries = new GatewayEntries(gateways, slots);
    this.windowEntries = new WindowEntries(spec, slots, windows, gatewayEntries.members());
    this.gatewayEntries.ring(windowEntries.ring());
    this.ownerEntries = new OwnerEntries(windows.owners());
    this.statuses = new SensorStatuses(status, position.time());
    this.statusEntries = new StatusEntries(statuses, windows);
  }

  static long deletedThroughMs(GatewayRules rules) {
    return CLOCKS_DIFFER_MS + rules.maxFutureBootMs();
  }

  /**
   * A deleted record was appended no later than an hour after those that are left, and its readings
   * are no later than that and what a gateway's clock may be ahead. The newest append time of the
   * state counts if it is later, as the first record that is left may be by a leader whose clock is
   * behind. Where a state was lost, another life begins: what the lost one wrote is not of this
   * one.
   */
  @Override
  public void deletedUnread(long records, boolean wereApplied, long appendMs) {
    long latestMs = time().latestWith(appendMs);
    windows.withholdBefore(WindowSpec.saturatedSum(latestMs, deletedThroughMs));
    long from = position.nextOffset();
    boolean nothingIsLeft = wereApplied && from == 0;
    gaps.add(new Gap(nothingIsLeft ? Life.NONE : new Life(life), from, from + records));
    Optional<Life> kept = wereApplied ? Optional.of(new Life(life)) : Optional.empty();
    unread = unread.with(new UnreadOffsets.Range(from, from + records, kept));
    if (wereApplied) {
      life = lives.getAsLong();
    }
    gateways.deletedUnread(windows.withheldBeforeMs());
    own.forget();
    sinceStart = false;
  }

  @Override
  public long observe(long appendMs, long offset, Uuid topicId) {
    if (position.nextOffset() == 0 || !topicId.equals(position.topicId())) {
      unread = UnreadOffsets.before(offset);
    }
    unread = unread.read(offset);
    if (keptRollups == null) {
      sinceStart = offset == 0 && windows.withheldBeforeMs() == PartitionTime.NONE;
      keptRollups = spec.rollups();
      windows.sinceStart(sinceStart);
    } else if (keptRollups != spec.rollups()) {
      // Without its largest sizes a chain of rollups goes on as it is.
      if (!spec.rollups().isOn() || !spec.rollups().isBeginningOf(keptRollups)) {
        windows.beginRollups();
      }
      keptRollups = spec.rollups();
    }
    windows.writeOtherHops();
    return position.observe(appendMs, offset, topicId);
  }

  @Override
  public InputPosition position() {
    return position;
  }

  public PartitionWindows windows() {
    return windows;
  }

  public Gateways gateways() {
    return gateways;
  }

  /** Records of the partition that were deleted before they were read. */
  public Gaps gaps() {
    return gaps;
  }

  /**
   * The operators have accepted the loss of a gap: emits the withheld windows with readings that
   * were not emitted, and accepts redriven readings of withheld windows. Only for the newest gap:
   * windows may lack the readings of later ones too.
   *
   * @param isLeft whether a window is not emitted, by sensor id and start
   * @return number of windows that are not emitted; empty if it is not the newest gap
   */
  public OptionalLong acceptLoss(Gap gap, BiPredicate<String, Long> isLeft, WindowSink sink) {
    return gaps.accept(gap) ? OptionalLong.of(windows.release(isLeft, sink)) : OptionalLong.empty();
  }

  /** The id of its life. */
  public long life() {
    return life;
  }

  @Override
  public Optional<RunningLife> runningLife() {
    return position.nextOffset() == 0
        ? Optional.empty()
        : Optional.of(new RunningLife(new Life(life), position.topicId(), unread));
  }

  /** Signed parts of dead letters and late records that have counted. */
  public RedrivenParts redriven() {
    return redriven;
  }

  /** The sequences of what the task itself sends. */
  public OwnSequences own() {
    return own;
  }

  /** Status and alarms of its sensors. */
  public SensorStatuses statuses() {
    return statuses;
  }

  /** The times of the partition. */
  public PartitionTime time() {
    return position.time();
  }

  @Override
  public boolean awaitsTime() {
    return windows.awaitsTime() || gateways.awaitsTime() || statuses.awaitsTime();
  }

  /**
   * Clears a gateway's sequences, as the operators ordered. An order that was carried out before,
   * or one for the same gateway before such, changes nothing: a copy of its mark is none.
   *
   * @param topicId of the topic that the order is written to
   * @param order its offset there
   * @return whether it was carried out
   */
  public boolean reset(String gatewayId, Uuid topicId, long order) {
    boolean accepted = lastOrders.accept(gatewayId, topicId, order);
    if (accepted) {
      gateways.reset(gatewayId);
    }
    return accepted;
  }

  /** The offset of the order that was carried out last for a gateway, after one was not. */
  public long lastReset(String gatewayId) {
    return lastOrders.last(gatewayId);
  }

  @Override
  public void flush(ChangeLog log) {
    if (!position.unwritten()) {
      return;
    }
    try {
      windowEntries.deleteForeign(log);
      statusEntries.deleteForeign(log);
      flushChanges(log);
      ownerEntries.flush(log);
      statusEntries.flush(log);
      lastOrders.flush(log);
      redrivenEntries.flush(log);
      ownEntries.flush(log);
      newest.flush(log);
      gaps.flush(windows.withheldBeforeMs(), log);
      Meta meta = new Meta(spec.sizeMs(), sinceStart, life, unread, keptRollups);
      log.put(StateKey.meta(), MetaCodec.encode(meta, position));
      position.written();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sensors and gateways, with their records of changes. */
  private void flushChanges(ChangeLog log) throws IOException {
    ChangeRing ring = windowEntries.ring();
    boolean changed = windowEntries.isChanged() || gatewayEntries.isChanged();
    windowEntries.flushDeletions(log);
    gatewayEntries.flushDeletions(log);
    if (changed) {
      ring.begin(log);
    }
    windowEntries.flush(log);
    gatewayEntries.flush(log);
    if (changed) {
      ring.finish(log);
    }
  }

  @Override
  public void restore(byte[] key, byte[] value) {
    try {
      switch (key[0]) {
        case StateKey.META -> restoreMeta(value);
        case StateKey.SENSOR -> windowEntries.restoreSensor(key, value);
        case StateKey.CHANGES -> windowEntries.restoreChanges(key, value);
        case StateKey.WINDOW -> windowEntries.restoreWindow(key, value);
        case StateKey.SAMPLES -> windowEntries.restoreSamples(key, value);
        case StateKey.ROLLUP -> windowEntries.restoreRollup(key, value);
        case StateKey.EVICTED -> windowEntries.restoreEvicted(key, value);
        case StateKey.GATEWAY -> gatewayEntries.restore(key, value);
        case StateKey.OWNER -> ownerEntries.restore(key, value);
        case StateKey.STATUS -> statusEntries.restoreStatus(key, value);
        case StateKey.BASELINE -> statusEntries.restoreBaseline(key, value);
        case StateKey.GROUP -> statusEntries.restoreGroup(key, value);
        case StateKey.CONTROL -> lastOrders.restore(key, value);
        case StateKey.REDRIVEN -> redrivenEntries.restorePart(key, value);
        case StateKey.REDRIVEN_THROUGH -> redrivenEntries.restoreThrough(key, value);
        case StateKey.OWN -> ownEntries.restore(key, value);
        case StateKey.NEWEST -> newest.restore(value);
        case StateKey.WITHHELD -> windows.resumeWithheld(gaps.restore(value), gaps.isAccepted());
        default -> throw StateMismatchException.ofKind(key[0]);
      }
    } catch (IOException e) {
      throw StateMismatchException.ofDamage(e);
    }
  }

  private void restoreMeta(byte[] value) throws IOException {
    Meta meta = MetaCodec.decode(value, position);
    StateMismatchException.requireWindowSize(meta.windowSizeMs(), spec.sizeMs());
    sinceStart = meta.sinceStart();
    life = meta.life();
    unread = meta.unread();
    keptRollups = meta.rollups();
  }

  @Override
  public void resume() {
    windows.sinceStart(keptRollups == null || sinceStart);
    gateways.restoreCut(windows.withheldBeforeMs());
    windowEntries.resume();
    gatewayEntries.resume();
    statuses.resume(windows);
  }

  @Override
  public void clear() {
    windowEntries.clear();
    statuses.clear();
    statusEntries.clear();
    gateways.clear();
    gatewayEntries.clear();
    position.clear();
    newest.clear();
    lastOrders.clear();
    redriven.clear();
    own.clear();
    gaps.clear();
    sinceStart = false;
    life = lives.getAsLong();
    unread = UnreadOffsets.before(0);
    keptRollups = null;
  }
}
