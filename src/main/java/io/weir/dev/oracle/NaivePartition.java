package io.weir.dev.oracle;

import io.weir.reading.IgnoredAttestation;
import io.weir.reading.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.window.CloseReason;
import io.weir.window.HoppingPlan;
import io.weir.window.RollupPlan;
import io.weir.window.WindowSpec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * What one partition must emit: a function of the records on it and of their append times. Written
 * from the design alone, independently of the engine. One thread.
 *
 * <p>At each record the batch is applied first: its readings, then what it says about completeness,
 * then its sensors' time. Then what is due by time is emitted, then sensors are forgotten.
 */
public final class NaivePartition {
  /** More sensors than this that are due at one record may be spread over the next ones. */
  private static final int SLICE = 10_000;

  private final WindowSpec spec;
  private final boolean byRecords;
  private final NaiveWeir judge;
  private final NaiveWindows windows;
  private final LogTime logTime;
  private final Emissions emissions;
  private final SortedMap<Long, NaiveRollups> rollups = new TreeMap<>();

  /** Null where there are none. */
  private final NaiveHops hops;

  /** Rollups and hopping windows. */
  private final List<NaiveSpans> spans = new ArrayList<>();

  private final Map<String, Sensor> sensors = new LinkedHashMap<>();
  private final Map<String, Sensor> awaiting = new LinkedHashMap<>();

  /** Forgotten ones, and from which log time on nothing at all is known of them. */
  private final Map<String, Long> marks = new LinkedHashMap<>();

  /** Null where nobody asks for it. */
  private NaiveStatus status;

  private long records;
  private long lastOrder = -1;
  private final Map<IgnoredAttestation, Integer> ignored = new EnumMap<>(IgnoredAttestation.class);
  private long broken;
  private long complete;

  private static final class Open {
    final NaiveWindows.Key key;
    boolean closed;

    /** It was said to be complete while it was open: nothing is added, nothing emitted any more. */
    boolean complete;

    boolean changedSinceEmit;

    /** From when on an IDLE emission of what it holds now was allowed; -1 for not yet. */
    long allowedSince = -1;

    Open(NaiveWindows.Key key) {
      this.key = key;
    }
  }

  private static final class Sensor {
    final TreeMap<Long, Open> windows = new TreeMap<>();
    long watermarkMs = Long.MIN_VALUE;
    long lastActiveMs;
    long spreadUntilRecord;

    boolean awaitsEmission() {
      return windows.values().stream()
          .anyMatch(window -> !window.closed && window.changedSinceEmit);
    }
  }

  /**
   * Starts with an empty partition, without rollups and hopping windows.
   *
   * @param partition the partition whose sensors belong here
   */
  public NaivePartition(
      WindowSpec spec, NaiveRules rules, int partition, IdleMoment idle, Emissions emissions) {
    this(
        spec.with(RollupPlan.NONE).with(HoppingPlan.NONE),
        rules,
        partition,
        idle,
        emissions,
        size -> {
          throw new IllegalStateException("no rollups");
        },
        null);
  }

  /**
   * Starts with an empty partition.
   *
   * @param partition the partition whose sensors belong here
   * @param ofRollups receives the rollups of a size in milliseconds; records decide about them
   * @param ofHops receives hopping windows; null where there are none
   */
  public NaivePartition(
      WindowSpec spec,
      NaiveRules rules,
      int partition,
      IdleMoment idle,
      Emissions emissions,
      LongFunction<Emissions> ofRollups,
      Emissions ofHops) {
    this.spec = spec;
    this.byRecords = idle == IdleMoment.BY_RECORDS;
    this.judge = new NaiveWeir(spec, rules, partition, this::kept);
    this.windows = new NaiveWindows(spec.sizeMs(), spec.statistics());
    this.logTime = new LogTime(spec.idleTimeoutMs());
    this.emissions = emissions;
    for (long sizeMs : spec.rollups().sizesMs()) {
      rollups.put(
          sizeMs, new NaiveRollups(spec, sizeMs, this::mayBeAmended, ofRollups.apply(sizeMs)));
    }
    spans.addAll(rollups.values());
    boolean hopping = spec.hopping().isOn();
    hops = hopping ? new NaiveHops(spec, this::mayBeAmended, ofHops) : null;
    if (hopping) {
      spans.add(hops);
    }
  }

  /** Computes status and alarms too; call it before the first record. */
  public void tell(NaiveStatus ofSensors) {
    status = ofSensors;
  }

  /** From the next record on, gateways may speak for these sensors alone; null for all. */
  public void permit(NaivePermissions now) {
    judge.permit(now);
  }

  private void begin(long appendMs) {
    logTime.record(appendMs);
    if (status != null) {
      status.begin(appendMs, logTime.nowMs());
    }
  }

  /** Takes a record that is no batch. */
  public void notABatch(long appendMs) {
    begin(appendMs);
    passTime(appendMs);
  }

  /** Takes the mark of an order to reset a gateway; one that was carried out is none. */
  public void reset(String gatewayId, long order, long appendMs) {
    begin(appendMs);
    if (order > lastOrder) {
      lastOrder = order;
      judge.reset(gatewayId);
    }
    passTime(appendMs);
  }

  private NaiveWeir.Kept.State kept(String sensorId, long startMs) {
    Sensor sensor = sensors.get(sensorId);
    Open window = sensor == null ? null : sensor.windows.get(startMs);
    if (window == null) {
      return NaiveWeir.Kept.State.NOT;
    }
    return window.complete ? NaiveWeir.Kept.State.COMPLETE : NaiveWeir.Kept.State.FOR_MORE;
  }

  /** Takes a batch that nobody has sent again; a tick is an empty one. */
  public NaiveWeir.Fate take(ReadingBatch batch, long appendMs) {
    return take(batch, appendMs, false);
  }

  /**
   * Takes a batch; returns what became of its readings.
   *
   * @param redriven whether it is a dead letter that was sent again
   */
  public NaiveWeir.Fate take(ReadingBatch batch, long appendMs, boolean redriven) {
    begin(appendMs);
    NaiveWeir.Fate fate = judge.take(batch, appendMs, logTime.nowMs(), redriven);
    List<Reading> taken = new ArrayList<>();
    for (NaiveWeir.ReadingFate reading : fate.readings()) {
      if (reading.rejected() == null && !reading.late()) {
        taken.add(reading.reading());
      }
      broken += reading.broken() ? 1 : 0;
    }
    Map<String, Long> attested = new LinkedHashMap<>();
    Map<String, Sensor> inBatch = take(taken);
    if (fate.refused() == null && !fate.repeated()) {
      attested = attested(batch, taken, appendMs, redriven);
    }
    judge.endBatch(taken);
    attested.forEach(this::complete);
    for (NaiveSpans size : spans) {
      size.take(taken, attested, logTime.nowMs());
    }
    inBatch.forEach(this::endBatch);
    if (status != null) {
      inBatch.forEach((id, sensor) -> status.heard(id, batch.getGatewayId(), sensor.watermarkMs));
    }
    passTime(appendMs);
    return fate;
  }

  /** How far each sensor is complete, as a batch says of which these readings were taken. */
  private Map<String, Long> attested(
      ReadingBatch batch, List<Reading> taken, long appendMs, boolean redriven) {
    Map<String, Long> throughMs = new LinkedHashMap<>();
    IgnoredAttestation ofAll = judge.causeToIgnore(batch, redriven);
    for (NaiveWeir.Attested entry : judge.entries(batch, appendMs)) {
      IgnoredAttestation cause = ofAll == null ? entry.ignored() : ofAll;
      if (cause == null && !sensors.containsKey(entry.sensorId())) {
        cause = IgnoredAttestation.UNKNOWN_SENSOR;
      }
      if (cause == null) {
        throughMs.merge(entry.sensorId(), entry.throughMs(), Math::max);
      } else {
        ignored.merge(cause, 1, Integer::sum);
      }
    }
    if (batch.getOrdered() && ofAll != null) {
      ignored.merge(ofAll, 1, Integer::sum);
    } else if (batch.getOrdered()) {
      taken.forEach(row -> throughMs.merge(row.getSensorId(), row.getTimestampMs(), Math::max));
    }
    return throughMs;
  }

  /** What is open and ends by then is closed for ever. */
  private void complete(String sensorId, long throughMs) {
    judge.attested(sensorId, throughMs);
    Sensor sensor = sensors.get(sensorId);
    for (Open window : sensor.windows.values()) {
      if (!window.closed && window.key.startMs() + spec.sizeMs() <= throughMs) {
        settleOptional(window);
        window.closed = true;
        window.complete = true;
        complete++;
        closed(window);
        emit(window, CloseReason.COMPLETE, emissions.position());
      }
    }
    if (!sensor.awaitsEmission()) {
      awaiting.remove(sensorId);
    }
  }

  /** Whether a sensor has a window between two times that was not said to be complete. */
  private boolean mayBeAmended(String sensorId, long fromMs, long toMs) {
    return sensors.get(sensorId).windows.subMap(fromMs, toMs).values().stream()
        .anyMatch(window -> !window.complete);
  }

  private Map<String, Sensor> take(List<Reading> taken) {
    Map<String, Sensor> inBatch = new LinkedHashMap<>();
    for (Reading reading : taken) {
      String id = reading.getSensorId();
      if (!inBatch.containsKey(id)) {
        Sensor sensor = sensors.containsKey(id) ? sensors.remove(id) : new Sensor();
        sensor.windows.values().forEach(this::settleOptional);
        inBatch.put(id, sensor);
        sensors.put(id, sensor);
        marks.remove(id);
      }
    }
    Map<NaiveWindows.Key, Open> amended = new LinkedHashMap<>();
    for (Reading reading : taken) {
      Open window = windowOf(inBatch.get(reading.getSensorId()), reading);
      if (window.closed) {
        amended.put(window.key, window);
      }
      window.changedSinceEmit = true;
      window.allowedSince = -1;
      boolean anew =
          windows.add(
              reading.getSensorId(),
              reading.getTimestampMs(),
              reading.getValue(),
              Quality.ofNumber(reading.getQualityValue()));
      if (anew) {
        emissions.beginsAnew(window.key);
      }
    }
    for (Reading reading : taken) {
      Sensor sensor = inBatch.get(reading.getSensorId());
      sensor.watermarkMs = Math.max(sensor.watermarkMs, reading.getTimestampMs());
    }
    amended.values().forEach(window -> emit(window, CloseReason.AMENDED, emissions.position()));
    return inBatch;
  }

  private Open windowOf(Sensor sensor, Reading reading) {
    long startMs = judge.startMs(reading.getTimestampMs());
    return sensor.windows.computeIfAbsent(
        startMs,
        start -> {
          Open window = new Open(new NaiveWindows.Key(reading.getSensorId(), start));
          window.closed = isPassed(sensor, start, spec.graceMs());
          return window;
        });
  }

  private boolean isPassed(Sensor sensor, long startMs, long byMs) {
    return sensor.watermarkMs != Long.MIN_VALUE
        && startMs + spec.sizeMs() + byMs <= sensor.watermarkMs;
  }

  private void endBatch(String id, Sensor sensor) {
    sensor.lastActiveMs = logTime.nowMs();
    for (Open window : sensor.windows.values()) {
      if (!window.closed && isPassed(sensor, window.key.startMs(), spec.graceMs())) {
        window.closed = true;
        closed(window);
        if (window.changedSinceEmit) {
          emit(window, CloseReason.EVENT_TIME, emissions.position());
        }
      }
    }
    long keptMs = spec.graceMs() + spec.latenessMs();
    sensor.windows.keySet().removeIf(startMs -> isPassed(sensor, startMs, keptMs));
    awaiting.remove(id);
    if (sensor.awaitsEmission()) {
      awaiting.put(id, sensor);
    }
  }

  private void closed(Open window) {
    if (status != null) {
      status.closed(window.key, windows.windows().get(window.key));
    }
  }

  private void emit(Open window, CloseReason reason, long since) {
    window.changedSinceEmit = false;
    window.allowedSince = -1;
    if (status != null && reason == CloseReason.IDLE) {
      status.idle(window.key, windows.windows().get(window.key));
    }
    emissions.due(window.key, reason, windows.windows().get(window.key), since);
  }

  /** Before a sensor's windows change: were those emitted that may have been? */
  private void settleOptional(Open window) {
    boolean allowed = !byRecords || window.allowedSince >= 0;
    if (!window.closed && window.changedSinceEmit && allowed) {
      long since = Math.max(0, window.allowedSince);
      window.changedSinceEmit =
          !emissions.optional(window.key, windows.windows().get(window.key), since);
    }
  }

  /** Does what is due by the append time of the record at hand, and by log time. */
  private void passTime(long appendMs) {
    records++;
    if (status != null) {
      status.pass();
    }
    if (byRecords) {
      emitIdle(appendMs);
      spans.forEach(size -> size.emitIdle(appendMs, logTime.nowMs()));
      forget();
      purge();
    }
    if (status != null) {
      status.end();
    }
  }

  private void emitIdle(long appendMs) {
    List<Sensor> silent = new ArrayList<>();
    for (Sensor sensor : awaiting.values()) {
      if (silentMs(sensor) < spec.idleTimeoutMs()) {
        break;
      }
      silent.add(sensor);
    }
    for (Sensor sensor : silent) {
      if (silent.size() > SLICE && sensor.spreadUntilRecord < records) {
        sensor.spreadUntilRecord = records + 4L * silent.size() / SLICE;
      }
      sensor.windows.values().forEach(window -> emitIdle(sensor, window, appendMs));
    }
    awaiting.values().removeIf(sensor -> !sensor.awaitsEmission());
  }

  private void emitIdle(Sensor sensor, Open window, long appendMs) {
    boolean all = spec.idleRule() == WindowSpec.IdleRule.ALL;
    boolean over = all || appendMs >= window.key.startMs() + spec.sizeMs() + spec.graceMs();
    if (window.closed || !window.changedSinceEmit || (!over && window.allowedSince < 0)) {
      return;
    }
    if (window.allowedSince < 0) {
      window.allowedSince = emissions.position();
    }
    if (over && sensor.spreadUntilRecord <= records) {
      emit(window, CloseReason.IDLE, window.allowedSince);
    }
  }

  private long silentMs(Sensor sensor) {
    return logTime.nowMs() - sensor.lastActiveMs;
  }

  private void forget() {
    Iterator<Map.Entry<String, Sensor>> eldestFirst = sensors.entrySet().iterator();
    while (eldestFirst.hasNext()) {
      Map.Entry<String, Sensor> eldest = eldestFirst.next();
      Sensor sensor = eldest.getValue();
      if (silentMs(sensor) < spec.sensorTtlMs()) {
        return;
      }
      for (Open window : sensor.windows.values()) {
        if (!window.closed && window.changedSinceEmit) {
          long since = window.allowedSince < 0 ? emissions.position() : window.allowedSince;
          emit(window, CloseReason.IDLE, since);
        }
      }
      long lastEndMs = sensor.windows.lastKey() + spec.sizeMs();
      spans.forEach(size -> size.forget(eldest.getKey(), lastEndMs));
      judge.forget(eldest.getKey());
      if (status != null) {
        status.forgotten(eldest.getKey());
      }
      marks.put(eldest.getKey(), sensor.lastActiveMs + spec.sensorTtlMs() + spec.markTtlMs());
      awaiting.remove(eldest.getKey());
      eldestFirst.remove();
    }
  }

  private void purge() {
    marks
        .entrySet()
        .removeIf(
            mark -> {
              boolean over = mark.getValue() <= logTime.nowMs();
              if (over) {
                judge.purge(mark.getKey());
                if (status != null) {
                  status.purged(mark.getKey());
                }
                windows.forget(mark.getKey());
                spans.forEach(size -> size.purge(mark.getKey()));
              }
              return over;
            });
  }

  /** Attestations that were not acted on so far, by cause. */
  public Map<IgnoredAttestation, Integer> ignored() {
    return ignored;
  }

  /** Late readings for windows of which a gateway had said that they are complete. */
  public long broken() {
    return broken;
  }

  /** Windows that were closed as complete. */
  public long complete() {
    return complete;
  }

  /** All that was aggregated so far, by windows. */
  public NaiveWindows windows() {
    return windows;
  }

  /** The rollups of each size so far; empty where there are none. */
  public SortedMap<Long, NaiveWindows> rollups() {
    SortedMap<Long, NaiveWindows> bySize = new TreeMap<>();
    rollups.forEach((sizeMs, size) -> bySize.put(sizeMs, size.contents()));
    return bySize;
  }

  /** Each hopping window as it was when it was emitted last; empty where there are none. */
  public SortedMap<NaiveWindows.Key, NaiveWindows.Window> hops() {
    return hops == null ? new TreeMap<>() : hops.latest();
  }

  /** At the end of what was read: settles what may have been emitted by a clock. */
  public void end() {
    if (!byRecords) {
      sensors.values().forEach(sensor -> sensor.windows.values().forEach(this::settleOptional));
    }
  }
}
