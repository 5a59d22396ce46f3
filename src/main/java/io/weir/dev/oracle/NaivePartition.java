package io.weir.dev.oracle;

import io.weir.reading.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.window.CloseReason;
import io.weir.window.WindowSpec;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one partition must emit: a function of the records on it and of their append times. Told
 * from the design's words, independently of the engine. One thread.
 *
 * <p>At each record the batch is applied first, then what is due by time is emitted, then sensors
 * are forgotten.
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
  private final Map<String, Sensor> sensors = new LinkedHashMap<>();
  private final Map<String, Sensor> awaiting = new LinkedHashMap<>();

  /** Forgotten ones, and from which log time on nothing at all is known of them. */
  private final Map<String, Long> marks = new LinkedHashMap<>();

  private long records;
  private long lastOrder = -1;

  private static final class Open {
    final NaiveWindows.Key key;
    boolean closed;
    boolean news;

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
      return windows.values().stream().anyMatch(window -> !window.closed && window.news);
    }
  }

  /**
   * Starts with an empty partition.
   *
   * @param partition the partition whose sensors belong here
   */
  public NaivePartition(
      WindowSpec spec, NaiveRules rules, int partition, IdleMoment idle, Emissions emissions) {
    this.spec = spec;
    this.byRecords = idle == IdleMoment.BY_RECORDS;
    this.judge = new NaiveWeir(spec, rules, partition, this::isKept);
    this.windows = new NaiveWindows(spec.sizeMs(), spec.statistics());
    this.logTime = new LogTime(spec.idleTimeoutMs());
    this.emissions = emissions;
  }

  /** Takes a record that is no batch. */
  public void notABatch(long appendMs) {
    logTime.record(appendMs);
    passTime(appendMs);
  }

  /** Takes the mark of an order to reset a gateway; one that was carried out is none. */
  public void reset(String gatewayId, long order, long appendMs) {
    logTime.record(appendMs);
    if (order > lastOrder) {
      lastOrder = order;
      judge.reset(gatewayId);
    }
    passTime(appendMs);
  }

  private boolean isKept(String sensorId, long startMs) {
    return sensors.containsKey(sensorId) && sensors.get(sensorId).windows.containsKey(startMs);
  }

  /** Takes a batch; a tick is an empty one. Returns what became of its readings. */
  public NaiveWeir.Fate take(ReadingBatch batch, long appendMs) {
    logTime.record(appendMs);
    NaiveWeir.Fate fate = judge.take(batch, appendMs, logTime.nowMs());
    List<Reading> taken = new ArrayList<>();
    for (NaiveWeir.ReadingFate reading : fate.readings()) {
      if (reading.rejected() == null && !reading.late()) {
        taken.add(reading.reading());
      }
    }
    apply(taken);
    passTime(appendMs);
    return fate;
  }

  private void apply(List<Reading> taken) {
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
      window.news = true;
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
    judge.endBatch(taken);
    for (Reading reading : taken) {
      Sensor sensor = inBatch.get(reading.getSensorId());
      sensor.watermarkMs = Math.max(sensor.watermarkMs, reading.getTimestampMs());
    }
    amended.values().forEach(window -> emit(window, CloseReason.AMENDED, emissions.position()));
    inBatch.forEach(this::endBatch);
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
        if (window.news) {
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

  private void emit(Open window, CloseReason reason, long since) {
    window.news = false;
    window.allowedSince = -1;
    emissions.due(window.key, reason, windows.windows().get(window.key), since);
  }

  /** Before a sensor's windows change: were those emitted that may have been? */
  private void settleOptional(Open window) {
    boolean allowed = !byRecords || window.allowedSince >= 0;
    if (!window.closed && window.news && allowed) {
      long since = Math.max(0, window.allowedSince);
      window.news = !emissions.optional(window.key, windows.windows().get(window.key), since);
    }
  }

  /** Does what is due by the append time of the record at hand, and by log time. */
  private void passTime(long appendMs) {
    records++;
    if (byRecords) {
      emitIdle(appendMs);
      forget();
      purge();
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
    if (window.closed || !window.news || (!over && window.allowedSince < 0)) {
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
        if (!window.closed && window.news) {
          long since = window.allowedSince < 0 ? emissions.position() : window.allowedSince;
          emit(window, CloseReason.IDLE, since);
        }
      }
      judge.forget(eldest.getKey());
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
                windows.forget(mark.getKey());
              }
              return over;
            });
  }

  /** All that was aggregated so far, by windows. */
  public NaiveWindows windows() {
    return windows;
  }

  /** At the end of what was read: settles what may have been emitted by a clock. */
  public void end() {
    if (!byRecords) {
      sensors.values().forEach(sensor -> sensor.windows.values().forEach(this::settleOptional));
    }
  }
}
