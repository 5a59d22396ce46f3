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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
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
  private final NaiveEmitter emitter;
  private final NaiveSpanSet spans;
  private final NaiveAttestations attestations;
  private final Map<String, NaiveSensor> sensors = new LinkedHashMap<>();
  private final Map<String, NaiveSensor> awaiting = new LinkedHashMap<>();

  /** Forgotten ones, and from which log time on nothing at all is known of them. */
  private final Map<String, Long> marks = new LinkedHashMap<>();

  /** Null where nobody asks for it. */
  private NaiveStatus status;

  private long records;
  private long lastOrder = -1;
  private long broken;
  private long complete;

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
        size -> emissions,
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
    this.emitter = new NaiveEmitter(windows, emissions, byRecords);
    this.spans =
        new NaiveSpanSet(
            spec,
            (id, fromMs, toMs) -> sensors.get(id).mayBeAmended(fromMs, toMs),
            ofRollups,
            ofHops);
    this.attestations = new NaiveAttestations(judge);
  }

  /** Computes status and alarms too; call it before the first record. */
  public void withStatus(NaiveStatus ofSensors) {
    status = ofSensors;
    emitter.withStatus(ofSensors);
  }

  /** From the next record on, gateways may publish these sensors only; null for all. */
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
    NaiveSensor sensor = sensors.get(sensorId);
    NaiveSensor.Open window = sensor == null ? null : sensor.windows.get(startMs);
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
    Map<String, NaiveSensor> inBatch = take(taken);
    if (fate.refused() == null && !fate.repeated()) {
      attested = attestations.throughMs(batch, taken, sensors, appendMs, redriven);
    }
    judge.endBatch(taken);
    attested.forEach(this::complete);
    spans.take(taken, attested, logTime.nowMs());
    inBatch.forEach(this::endBatch);
    if (status != null) {
      inBatch.forEach(
          (id, sensor) -> status.received(id, batch.getGatewayId(), sensor.watermarkMs));
    }
    passTime(appendMs);
    return fate;
  }

  /** What is open and ends by then is closed for ever. */
  private void complete(String sensorId, long throughMs) {
    judge.attested(sensorId, throughMs);
    NaiveSensor sensor = sensors.get(sensorId);
    for (NaiveSensor.Open window : sensor.windows.values()) {
      if (!window.closed && window.key.startMs() + spec.sizeMs() <= throughMs) {
        emitter.settleOptional(window);
        window.closed = true;
        window.complete = true;
        complete++;
        emitter.closed(window);
        emitter.emit(window, CloseReason.COMPLETE);
      }
    }
    if (!sensor.awaitsEmission()) {
      awaiting.remove(sensorId);
    }
  }

  private Map<String, NaiveSensor> take(List<Reading> taken) {
    Map<String, NaiveSensor> inBatch = new LinkedHashMap<>();
    for (Reading reading : taken) {
      String id = reading.getSensorId();
      if (!inBatch.containsKey(id)) {
        NaiveSensor sensor = sensors.containsKey(id) ? sensors.remove(id) : new NaiveSensor();
        sensor.windows.values().forEach(emitter::settleOptional);
        inBatch.put(id, sensor);
        sensors.put(id, sensor);
        marks.remove(id);
      }
    }
    Map<NaiveWindows.Key, NaiveSensor.Open> amended = new LinkedHashMap<>();
    for (Reading reading : taken) {
      NaiveSensor.Open window = windowOf(inBatch.get(reading.getSensorId()), reading);
      if (window.closed) {
        amended.put(window.key, window);
      }
      window.changedSinceEmit = true;
      window.allowedSince = -1;
      boolean again =
          windows.add(
              reading.getSensorId(),
              reading.getTimestampMs(),
              reading.getValue(),
              Quality.ofNumber(reading.getQualityValue()));
      if (again) {
        emissions.beginsAgain(window.key);
      }
    }
    for (Reading reading : taken) {
      NaiveSensor sensor = inBatch.get(reading.getSensorId());
      sensor.watermarkMs = Math.max(sensor.watermarkMs, reading.getTimestampMs());
    }
    amended.values().forEach(window -> emitter.emit(window, CloseReason.AMENDED));
    return inBatch;
  }

  private NaiveSensor.Open windowOf(NaiveSensor sensor, Reading reading) {
    long startMs = judge.startMs(reading.getTimestampMs());
    return sensor.windows.computeIfAbsent(
        startMs,
        start -> {
          NaiveSensor.Open window =
              new NaiveSensor.Open(new NaiveWindows.Key(reading.getSensorId(), start));
          window.closed = isPassed(sensor, start, spec.graceMs());
          return window;
        });
  }

  private boolean isPassed(NaiveSensor sensor, long startMs, long byMs) {
    return sensor.watermarkMs != Long.MIN_VALUE
        && startMs + spec.sizeMs() + byMs <= sensor.watermarkMs;
  }

  private void endBatch(String id, NaiveSensor sensor) {
    sensor.lastActiveMs = logTime.nowMs();
    for (NaiveSensor.Open window : sensor.windows.values()) {
      if (!window.closed && isPassed(sensor, window.key.startMs(), spec.graceMs())) {
        window.closed = true;
        emitter.closed(window);
        if (window.changedSinceEmit) {
          emitter.emit(window, CloseReason.EVENT_TIME);
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

  /** Does what is due by the append time of the record at hand, and by log time. */
  private void passTime(long appendMs) {
    records++;
    if (status != null) {
      status.pass();
    }
    if (byRecords) {
      emitIdle(appendMs);
      spans.emitIdle(appendMs, logTime.nowMs());
      forget();
      purge();
    }
    if (status != null) {
      status.end();
    }
  }

  private void emitIdle(long appendMs) {
    List<NaiveSensor> silent = new ArrayList<>();
    for (NaiveSensor sensor : awaiting.values()) {
      if (silentMs(sensor) < spec.idleTimeoutMs()) {
        break;
      }
      silent.add(sensor);
    }
    for (NaiveSensor sensor : silent) {
      if (silent.size() > SLICE && sensor.spreadUntilRecord < records) {
        sensor.spreadUntilRecord = records + 4L * silent.size() / SLICE;
      }
      sensor.windows.values().forEach(window -> emitIdle(sensor, window, appendMs));
    }
    awaiting.values().removeIf(sensor -> !sensor.awaitsEmission());
  }

  private void emitIdle(NaiveSensor sensor, NaiveSensor.Open window, long appendMs) {
    boolean all = spec.idleRule() == WindowSpec.IdleRule.ALL;
    boolean over = all || appendMs >= window.key.startMs() + spec.sizeMs() + spec.graceMs();
    if (window.closed || !window.changedSinceEmit || (!over && window.allowedSince < 0)) {
      return;
    }
    if (window.allowedSince < 0) {
      window.allowedSince = emissions.position();
    }
    if (over && sensor.spreadUntilRecord <= records) {
      emitter.emit(window, CloseReason.IDLE, window.allowedSince);
    }
  }

  private long silentMs(NaiveSensor sensor) {
    return logTime.nowMs() - sensor.lastActiveMs;
  }

  private void forget() {
    Iterator<Map.Entry<String, NaiveSensor>> eldestFirst = sensors.entrySet().iterator();
    while (eldestFirst.hasNext()) {
      Map.Entry<String, NaiveSensor> eldest = eldestFirst.next();
      NaiveSensor sensor = eldest.getValue();
      if (silentMs(sensor) < spec.sensorTtlMs()) {
        return;
      }
      sensor.windows.values().forEach(emitter::emitForgotten);
      long lastEndMs = sensor.windows.lastKey() + spec.sizeMs();
      spans.forget(eldest.getKey(), lastEndMs);
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
    long nowMs = logTime.nowMs();
    List<String> over =
        marks.entrySet().stream()
            .filter(m -> m.getValue() <= nowMs)
            .map(Map.Entry::getKey)
            .toList();
    for (String sensorId : over) {
      marks.remove(sensorId);
      judge.purge(sensorId);
      if (status != null) {
        status.purged(sensorId);
      }
      windows.forget(sensorId);
      spans.purge(sensorId);
    }
  }

  /** Attestations that were not acted on so far, by cause. */
  public Map<IgnoredAttestation, Integer> ignored() {
    return attestations.ignored();
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
    return spans.rollups();
  }

  /** Each hopping window as it was when it was emitted last; empty where there are none. */
  public SortedMap<NaiveWindows.Key, NaiveWindows.Window> hops() {
    return spans.hops();
  }

  /** At the end of what was read: settles what may have been emitted by a clock. */
  public void end() {
    if (!byRecords) {
      sensors.values().forEach(sensor -> sensor.windows.values().forEach(emitter::settleOptional));
    }
  }
}
