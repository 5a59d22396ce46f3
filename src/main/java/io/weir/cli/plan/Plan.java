package io.weir.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The resources for a load: each method is a formula of the input and the measured figures. Bytes
 * on topics are for one replica unless stated otherwise. Immutable.
 */
public final class Plan {
  /**
   * Partitions of weir.readings: they determine the placement of sensors, so the number is fixed.
   */
  public static final int PARTITIONS = 64;

  /** Reserve of a half, for catching up and growth. */
  static final double HEADROOM = 1.5;

  /** Readings of a sensor in a batch of the dense load. */
  static final double DENSE_RUN = 6;

  /** Heap without sensors. */
  static final double BASE_HEAP = 40 * Mib.BYTES;

  /** Heap of a thread's fetched and unsent records: fetch.max.bytes and buffer.memory. */
  static final double THREAD_HEAP = (50 + 32) * Mib.BYTES;

  /** The heap's share of a pod's memory limit. */
  static final double HEAP_SHARE = 0.7;

  /** Size at which the active changelog segment, which is not compacted, is closed. */
  static final double SEGMENT_BYTES = 8 * Mib.BYTES;

  /** Age at which it is closed. */
  static final double SEGMENT_SECONDS = 600;

  /** So many records of changes of a partition are in the changelog. */
  private static final double CHANGE_RECORDS = 128;

  /** Of a change, for each reading beyond the first. */
  private static final double FURTHER_READING_BYTES = 3;

  /** Bytes of a change with so many readings that sum and extremes replace them. */
  private static final double SUM_BYTES = 20;

  /** Bytes of a change by one reading, before compression. */
  private static final double CHANGE_KEPT_BYTES = 15;

  /** Bytes of a change record for each sensor of a partition, within bounds. */
  private static final double RECORD_BYTES_EACH = 12;

  private static final double LEAST_RECORD_BYTES = 16 << 10;
  private static final double MOST_RECORD_BYTES = 128 << 10;

  /** Bytes of a change for each closed window in it, before compression. */
  private static final double KEPT_IN_CHANGE_BYTES = 4;

  /** Maximum number of closed windows in a change. */
  private static final int MOST_KEPT_IN_CHANGE = 3;

  /** Bytes of a change of a sensor with hopping windows, before compression. */
  private static final double HOPPING_IN_CHANGE_BYTES = 12;

  private static final int MOST_PODS = PARTITIONS;

  private static final class Mib {
    static final double BYTES = 1 << 20;
  }

  private final PlanInput in;
  private final PlanFigures figures;
  private final HoppingCost hopping;

  public Plan(PlanInput input, PlanFigures figures) {
    this.in = input;
    this.figures = figures;
    this.hopping = new HoppingCost(input, figures);
  }

  HoppingCost hopping() {
    return hopping;
  }

  /** The resources of {@code weir events}, if planned. */
  Optional<EventsCost> events() {
    return in.jobs().events().map(load -> new EventsCost(in, figures, load));
  }

  /** The tables in PostgreSQL, if planned. */
  Optional<TablesCost> tables() {
    return in.jobs().tables().map(asked -> new TablesCost(this, asked));
  }

  /** Sensors with a status. Its transitions are too few to count. */
  double statusSensors() {
    return in.jobs().status() ? in.sensors() : 0;
  }

  /** Bytes on weir.status, which is compacted: twice the live records. */
  double statusAtRest() {
    return 2 * statusSensors() * figures.value(Figure.STATUS_BYTES);
  }

  PlanInput input() {
    return in;
  }

  PlanFigures figures() {
    return figures;
  }

  /**
   * Readings per second of a thread, by the number of readings of a sensor in a batch. A reading
   * costs x, and a sensor in a batch y: the dense load has x + y / 6, the wide one x + y; the cost
   * is never less than the dense load's.
   */
  double threadRate() {
    double dense = 1 / figures.value(Figure.DENSE_READINGS_PER_SECOND);
    double wide = 1 / figures.value(Figure.WIDE_READINGS_PER_SECOND);
    double y = Math.max(0, (wide - dense) * DENSE_RUN / (DENSE_RUN - 1));
    double cost = wide - y + y / in.run();
    return 1 / (in.run() >= DENSE_RUN ? dense : Math.max(dense, cost));
  }

  /** Threads that the load needs: target over measured, plus half, rounded up. */
  int threads() {
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(in.rate() * HEADROOM / threadRate()));
  }

  /** Partitions that the load needs: a power of two. */
  int partitions() {
    int threads = threads();
    int power = Integer.highestOneBit(threads);
    return power == threads ? power : power > 1 << 29 ? Integer.MAX_VALUE : 2 * power;
  }

  /** Weirs among which the sensors are to be divided; 1 if one is enough. */
  int cells() {
    double most = Math.max((double) partitions() / PARTITIONS, (double) pods() / MOST_PODS);
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(most));
  }

  /** Whether the load exceeds 64 partitions and 64 pods of that size. */
  boolean isBeyondPartitions() {
    return partitions() > PARTITIONS || pods() > MOST_PODS;
  }

  /** Whether the load exceeds a limit. */
  public boolean isBeyond() {
    return isBeyondPartitions() || events().map(cost -> !cost.beyond().isEmpty()).orElse(false);
  }

  /** Heap of a sensor's windows, including retained ones and rollups. */
  double stateBytesPerSensor() {
    double window = figures.value(Figure.STATE_WINDOW_BYTES) + in.statistics().heap();
    return figures.value(Figure.STATE_BYTES_PER_SENSOR)
        + in.statistics().heap()
        + (in.keptWindows() + in.rollupsMs().size()) * window;
  }

  /** Heap of one copy of the state. */
  double stateBytes() {
    return in.sensors() * stateBytesPerSensor()
        + hopping.heapBytes()
        + statusSensors() * figures.value(Figure.STATUS_HEAP_BYTES);
  }

  /**
   * The heap of a pod among this number of pods: the live objects, and the same again for batches,
   * decoding and garbage.
   */
  double heap(int alive) {
    return heap(stateBytes(), alive, in);
  }

  static double heap(double stateBytes, int alive, PlanInput in) {
    double copies = Math.min(alive, 1 + in.standbys());
    return BASE_HEAP + 2 * (stateBytes * copies / alive + in.threadsPerPod() * THREAD_HEAP);
  }

  /** The memory limit with which a pod survives the failure of another. */
  double limit(int pods) {
    return heap(Math.max(1, pods - 1)) / HEAP_SHARE;
  }

  /**
   * The minimum number of pods of which one may fail: the others have the memory for all state, and
   * process the load.
   */
  int minReplicas() {
    int pods = 2;
    while (pods <= MOST_PODS
        && (limit(pods) > in.podBytes() || (pods - 1) * in.threadsPerPod() < busyThreads())) {
      pods++;
    }
    return pods;
  }

  /** Threads that the load keeps busy, without reserve. */
  private double busyThreads() {
    return Math.min(PARTITIONS, Math.ceil(in.rate() / threadRate()));
  }

  /** Pods: the given number, or that for the threads and the memory. */
  int pods() {
    int forThreads = (int) Math.ceil((double) Math.min(threads(), PARTITIONS) / in.threadsPerPod());
    return in.pods() > 0 ? in.pods() : Math.max(forThreads, minReplicas());
  }

  /** Processors that a pod keeps busy. */
  double processorsPerPod() {
    return in.rate() / threadRate() / pods();
  }

  /** Bytes of a reading on its topic: fewer in larger batches. */
  double readingBytes() {
    double batches =
        1 / in.jobs().publishing().readingsInBatch(in.rate())
            - 1 / figures.value(Figure.READINGS_IN_BATCH);
    return Math.max(
        1,
        figures.value(Figure.READING_BYTES) + figures.value(Figure.READING_BATCH_BYTES) * batches);
  }

  double readingsBytesPerSecond() {
    return in.rate() * readingBytes();
  }

  /** Bytes of readings at rest: by time, or by bytes if that is less. */
  double readingsAtRest() {
    return Math.min(
        readingsBytesPerSecond() * in.retentionMs() / 1000, PARTITIONS * in.retentionBytes());
  }

  /** The effective retention of readings. */
  double retentionHours() {
    return readingsAtRest() / readingsBytesPerSecond() / 3600;
  }

  /**
   * Summaries of windows and rollups per second: one for each window with readings of each sensor.
   */
  double summariesPerSecond() {
    double spans = 1000 / Math.max(in.windowMs(), in.periodMs());
    for (long rollupMs : in.rollupsMs()) {
      spans += 1000 / Math.max(rollupMs, in.periodMs());
    }
    return in.sensors() * spans;
  }

  double windowsBytesPerSecond() {
    return summariesPerSecond() * (figures.value(Figure.WINDOW_BYTES) + in.statistics().summary());
  }

  double windowsAtRest() {
    return Math.min(
        windowsBytesPerSecond() * in.windowsRetentionMs() / 1000,
        PARTITIONS * in.windowsRetentionBytes());
  }

  /** Changes of sensors per second: one for each sensor with readings since the last commit. */
  double changelogEntriesPerSecond() {
    return in.sensors() * 1000 / Math.max(in.periodMs(), in.betweenCommitsMs());
  }

  /**
   * Bytes of a change: a few for each reading, or for sum and extremes of many readings, and a few
   * for each of the newest windows.
   */
  double changeBytes() {
    return figures.value(Figure.CHANGELOG_ENTRY_BYTES) + moreOfChange();
  }

  private double moreOfChange() {
    double further = Math.max(0, in.betweenCommitsMs() / in.periodMs() - 1);
    return in.statistics().changelog()
        + Math.min(SUM_BYTES, further * FURTHER_READING_BYTES)
        + Math.min(in.keptWindows(), MOST_KEPT_IN_CHANGE) * KEPT_IN_CHANGE_BYTES
        + hopping.sensors() / in.sensors() * HOPPING_IN_CHANGE_BYTES;
  }

  private double changesBytesPerSecond() {
    return changelogEntriesPerSecond() * changeBytes();
  }

  double changelogBytesPerSecond() {
    return changesBytesPerSecond() + hopping.changelogBytesPerSecond();
  }

  /** Content of a compacted changelog: sensors, windows, and the newest changes. */
  double changelogLive() {
    double window = figures.value(Figure.CHANGELOG_KEPT_WINDOW_BYTES) + in.statistics().changelog();
    return in.sensors()
            * (figures.value(Figure.CHANGELOG_LIVE_BYTES)
                + in.statistics().changelog()
                + (in.keptWindows() + in.rollupsMs().size()) * window)
        + hopping.changelogLive()
        + statusSensors() * figures.value(Figure.STATUS_CHANGELOG_LIVE_BYTES)
        + changesLive();
  }

  /** The change records, of which each commit writes one or more. */
  private double changesLive() {
    double bytesPerSecond = changelogEntriesPerSecond() * (CHANGE_KEPT_BYTES + moreOfChange());
    double ofCommit = bytesPerSecond * in.betweenCommitsMs() / 1000 / PARTITIONS;
    double record =
        Math.max(
            LEAST_RECORD_BYTES,
            Math.min(MOST_RECORD_BYTES, RECORD_BYTES_EACH * in.sensors() / PARTITIONS));
    return PARTITIONS * ofCommit * CHANGE_RECORDS / Math.ceil(ofCommit / record);
  }

  /** The live content, twice until it is compacted, plus the active segment of each partition. */
  double changelogAtRest() {
    return changelogAtRest(changelogLive(), changelogBytesPerSecond());
  }

  static double changelogAtRest(double live, double bytesPerSecond) {
    double open = Math.min(SEGMENT_BYTES, bytesPerSecond * SEGMENT_SECONDS / PARTITIONS);
    return 2 * live + PARTITIONS * open;
  }

  /** Bytes per second that are written to all replicas, on each broker. */
  double brokerIn() {
    return written() * in.replicas() / in.brokers();
  }

  /**
   * Bytes per second that each broker sends: to followers, readings to Weir, windows to a consumer.
   */
  double brokerOut() {
    double read =
        readingsBytesPerSecond()
            + windowsBytesPerSecond()
            + moreTopics().stream().mapToDouble(t -> t.bytesPerSecond() * t.read()).sum();
    double standby = (changelogBytesPerSecond() + eventsChangelog()) * in.standbys();
    return (written() * (in.replicas() - 1) + read + standby) / in.brokers();
  }

  private double written() {
    return readingsBytesPerSecond()
        + windowsBytesPerSecond()
        + changelogBytesPerSecond()
        + eventsChangelog()
        + moreTopics().stream().mapToDouble(TopicLoad::bytesPerSecond).sum();
  }

  private double eventsChangelog() {
    return events().map(EventsCost::changelogBytesPerSecond).orElse(0.0);
  }

  /** Topics other than readings, windows and rollups. */
  List<TopicLoad> moreTopics() {
    List<TopicLoad> topics = new ArrayList<>();
    if (hopping.sensors() > 0) {
      topics.add(hopping.topic());
    }
    events().ifPresent(cost -> topics.addAll(cost.topics()));
    return topics;
  }

  /** Bytes at rest on each broker, of all replicas. */
  double brokerAtRest() {
    double all =
        readingsAtRest()
            + windowsAtRest()
            + changelogAtRest()
            + statusAtRest()
            + moreTopics().stream().mapToDouble(TopicLoad::atRest).sum()
            + events().map(EventsCost::changelogAtRest).orElse(0.0);
    return all * in.replicas() / in.brokers();
  }

  /** Restore time of a pod's part of the changelog. */
  double restoreSeconds() {
    return changelogAtRest() / pods() / figures.value(Figure.RESTORE_BYTES_PER_SECOND);
  }

  /**
   * Time from a crash until its partitions continue: the session timeout, plus the restore without
   * a standby.
   */
  double failoverSeconds() {
    return in.sessionMs() / 1000 + (in.standbys() > 0 ? 0 : restoreSeconds());
  }

  /** All items, in order. */
  public List<PlanItem> items() {
    return List.copyOf(new PlanItems(this).all());
  }
}
