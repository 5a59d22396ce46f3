package io.weir.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a load takes: each method one formula, of the input and the measured figures alone. Bytes on
 * topics are of one replica unless it says otherwise. Immutable.
 */
public final class Plan {
  /** Partitions of weir.readings: sensors are placed by them, so the number is fixed. */
  public static final int PARTITIONS = 64;

  /** Target over measured, and half as much again: for catching up, and for growth. */
  static final double HEADROOM = 1.5;

  /** A batch of the dense load has so many readings of a sensor. */
  static final double DENSE_RUN = 6;

  /** What is on the heap without any sensor. */
  static final double BASE_HEAP = 40 * Mib.BYTES;

  /** Fetched and not read, and not yet sent, of each thread: fetch.max.bytes and buffer.memory. */
  static final double THREAD_HEAP = (50 + 32) * Mib.BYTES;

  /** The heap's part of a pod's memory limit. */
  static final double HEAP_SHARE = 0.7;

  /** A changelog segment that is written to is not compacted; it is closed at so many bytes. */
  static final double SEGMENT_BYTES = 8 * Mib.BYTES;

  /** Or after so long. */
  static final double SEGMENT_SECONDS = 600;

  /** So many records of changes of a partition are in the changelog. */
  private static final double CHANGE_RECORDS = 128;

  /** Of a change, for each reading beyond the first. */
  private static final double FURTHER_READING_BYTES = 3;

  /** Of a change by so many readings that sum and extremes are written in their place. */
  private static final double SUM_BYTES = 20;

  /** Of a change by one reading, before compression. */
  private static final double CHANGE_KEPT_BYTES = 15;

  /** A record of changes has so many bytes for each sensor of a partition, within bounds. */
  private static final double RECORD_BYTES_EACH = 12;

  private static final double LEAST_RECORD_BYTES = 16 << 10;
  private static final double MOST_RECORD_BYTES = 128 << 10;

  /** Of a change, for each closed window that it names; before compression. */
  private static final double KEPT_IN_CHANGE_BYTES = 4;

  /** A change names so many closed windows at the most. */
  private static final int MOST_KEPT_IN_CHANGE = 3;

  /** Of a change of a sensor with hopping windows; before compression. */
  private static final double HOPPING_IN_CHANGE_BYTES = 12;

  private static final int MOST_PODS = PARTITIONS;

  private static final class Mib {
    static final double BYTES = 1 << 20;
  }

  private final PlanInput in;
  private final PlanFigures figures;
  private final HoppingCost hopping;
  private final StatusCost status;

  public Plan(PlanInput input, PlanFigures figures) {
    this.in = input;
    this.figures = figures;
    this.hopping = new HoppingCost(input, figures);
    this.status = new StatusCost(input, figures);
  }

  HoppingCost hopping() {
    return hopping;
  }

  StatusCost status() {
    return status;
  }

  /** What {@code weir events} takes, where it is asked for. */
  Optional<EventsCost> events() {
    return in.jobs().events().map(load -> new EventsCost(in, figures, load));
  }

  /** The pods of {@code weir events}, where it is asked for. */
  Optional<EventsPods> eventsPods() {
    return events().map(cost -> new EventsPods(in, cost, figures.restoreBytes().value()));
  }

  /** What is in PostgreSQL, where it is asked for. */
  Optional<TablesCost> tables() {
    return in.jobs().tables().map(asked -> new TablesCost(this, asked));
  }

  PlanInput input() {
    return in;
  }

  PlanFigures figures() {
    return figures;
  }

  /**
   * Readings a second that a thread takes, with as many of a sensor in a batch as the load has. A
   * reading costs x, and a sensor in a batch y: from the dense load x + y / 6, from the wide one x
   * + y; never less than the dense load's.
   */
  double threadRate() {
    double dense = 1 / figures.denseRate().value();
    double wide = 1 / figures.wideRate().value();
    double y = Math.max(0, (wide - dense) * DENSE_RUN / (DENSE_RUN - 1));
    double cost = wide - y + y / in.run();
    return 1 / (in.run() >= DENSE_RUN ? dense : Math.max(dense, cost));
  }

  /** Threads that the load needs: target over measured, plus half, rounded up. */
  int threads() {
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(in.rate() * HEADROOM / threadRate()));
  }

  /** As many partitions as that takes: a power of two. */
  int partitions() {
    int threads = threads();
    int power = Integer.highestOneBit(threads);
    return power == threads ? power : power > 1 << 29 ? Integer.MAX_VALUE : 2 * power;
  }

  /** Whether the load is beyond what 64 partitions and as many pods of that size take. */
  boolean isBeyondPartitions() {
    return partitions() > PARTITIONS || pods() > MOST_PODS;
  }

  /** Whether it cannot be done as it was asked for. */
  public boolean isBeyond() {
    return isBeyondPartitions() || events().map(cost -> !cost.beyond().isEmpty()).orElse(false);
  }

  /** A sensor's windows on the heap, kept ones and rollups too. */
  double stateBytesPerSensor() {
    double window = figures.stateWindowBytes().value() + in.statistics().heap();
    return figures.stateBytes().value()
        + in.statistics().heap()
        + (in.keptWindows() + in.rollupsMs().size()) * window;
  }

  /** One copy of all state. */
  double stateBytes() {
    return in.sensors() * stateBytesPerSensor() + hopping.heapBytes() + status.heapBytes();
  }

  /**
   * The heap of a pod of which so many are there: what is live, and as much again for batches in
   * their tasks, decoding and garbage.
   */
  double heap(int alive) {
    return heap(stateBytes(), alive, in);
  }

  static double heap(double stateBytes, int alive, PlanInput in) {
    double copies = Math.min(alive, 1 + in.standbys());
    return BASE_HEAP + 2 * (stateBytes * copies / alive + in.threadsPerPod() * THREAD_HEAP);
  }

  /** The memory limit with which a pod survives the loss of another. */
  double limit(int pods) {
    return heap(Math.max(1, pods - 1)) / HEAP_SHARE;
  }

  /** The fewest pods of which one may be lost: the others hold all state and take the load. */
  int minReplicas() {
    int pods = 2;
    while (pods <= MOST_PODS
        && (limit(pods) > in.podBytes() || (pods - 1) * in.threadsPerPod() < takenThreads())) {
      pods++;
    }
    return pods;
  }

  /** Threads that the load keeps busy, without room for more. */
  private double takenThreads() {
    return Math.min(PARTITIONS, Math.ceil(in.rate() / threadRate()));
  }

  /** Pods: as given, or as many as threads and memory need. */
  int pods() {
    int forThreads = (int) Math.ceil((double) Math.min(threads(), PARTITIONS) / in.threadsPerPod());
    return in.pods() > 0 ? in.pods() : Math.max(forThreads, minReplicas());
  }

  /** Processors that a pod keeps busy. */
  double processorsPerPod() {
    return in.rate() / threadRate() / pods();
  }

  /** Of a reading on its topic: less in fuller batches. */
  double readingBytes() {
    double batches =
        1 / in.jobs().publishing().readingsInBatch(in.rate())
            - 1 / figures.readingsInBatch().value();
    return Math.max(1, figures.readingBytes().value() + figures.batchBytes().value() * batches);
  }

  double readingsBytesPerSecond() {
    return in.rate() * readingBytes();
  }

  /** Readings at rest: by time, or by bytes where that is less. */
  double readingsAtRest() {
    return Math.min(
        readingsBytesPerSecond() * in.retentionMs() / 1000, PARTITIONS * in.retentionBytes());
  }

  /** For how long readings are really there. */
  double retentionHours() {
    return readingsAtRest() / readingsBytesPerSecond() / 3600;
  }

  /**
   * Summaries of windows and rollups a second: one for each window of each sensor with readings in
   * it.
   */
  double summariesPerSecond() {
    double spans = 1000 / Math.max(in.windowMs(), in.periodMs());
    for (long rollupMs : in.rollupsMs()) {
      spans += 1000 / Math.max(rollupMs, in.periodMs());
    }
    return in.sensors() * spans;
  }

  double windowsBytesPerSecond() {
    return summariesPerSecond() * (figures.windowBytes().value() + in.statistics().summary());
  }

  double windowsAtRest() {
    return Math.min(
        windowsBytesPerSecond() * in.windowsRetentionMs() / 1000,
        PARTITIONS * in.windowsRetentionBytes());
  }

  /** Changes of sensors a second: one for each sensor with readings since the last commit. */
  double changelogEntriesPerSecond() {
    return in.sensors() * 1000 / Math.max(in.periodMs(), in.betweenCommitsMs());
  }

  /**
   * Bytes of a change: a few for each reading that a sensor took, its sum and extremes where it
   * took many, and a few for each of its newest windows.
   */
  double changeBytes() {
    return figures.changelogBytes().value() + moreOfChange();
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

  /** What a compacted changelog holds: sensors, windows, and the newest changes. */
  double changelogLive() {
    double window = figures.changelogKeptWindowBytes().value() + in.statistics().changelog();
    return in.sensors()
            * (figures.changelogLiveBytes().value()
                + in.statistics().changelog()
                + (in.keptWindows() + in.rollupsMs().size()) * window)
        + hopping.changelogLive()
        + status.changelogLive()
        + changesLive();
  }

  /** As many records as there are, of which a commit takes one or more. */
  private double changesLive() {
    double bytesPerSecond = changelogEntriesPerSecond() * (CHANGE_KEPT_BYTES + moreOfChange());
    double ofCommit = bytesPerSecond * in.betweenCommitsMs() / 1000 / PARTITIONS;
    double record =
        Math.max(
            LEAST_RECORD_BYTES,
            Math.min(MOST_RECORD_BYTES, RECORD_BYTES_EACH * in.sensors() / PARTITIONS));
    return PARTITIONS * ofCommit * CHANGE_RECORDS / Math.ceil(ofCommit / record);
  }

  /** What is live, twice until it is compacted, and a segment a partition that is written to. */
  double changelogAtRest() {
    return changelogAtRest(changelogLive(), changelogBytesPerSecond());
  }

  static double changelogAtRest(double live, double bytesPerSecond) {
    double open = Math.min(SEGMENT_BYTES, bytesPerSecond * SEGMENT_SECONDS / PARTITIONS);
    return 2 * live + PARTITIONS * open;
  }

  /** Bytes a second that producers write to all replicas, on each broker. */
  double brokerIn() {
    return written() * in.replicas() / in.brokers();
  }

  /** Bytes a second that each broker sends: to followers, readings to Weir, windows to a reader. */
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

  /** Topics beside readings, windows and rollups. */
  List<TopicLoad> moreTopics() {
    List<TopicLoad> topics = new ArrayList<>();
    if (hopping.sensors() > 0) {
      topics.add(hopping.topic());
    }
    events().ifPresent(cost -> topics.addAll(cost.topics()));
    return topics;
  }

  /** At rest on each broker, all replicas. */
  double brokerAtRest() {
    double all =
        readingsAtRest()
            + windowsAtRest()
            + changelogAtRest()
            + status.atRest()
            + moreTopics().stream().mapToDouble(TopicLoad::atRest).sum()
            + eventsPods().map(EventsPods::changelogAtRest).orElse(0.0);
    return all * in.replicas() / in.brokers();
  }

  /** A pod's part of the changelog, read by those that take over. */
  double restoreSeconds() {
    return changelogAtRest() / pods() / figures.restoreBytes().value();
  }

  /** From a crash to where its partitions go on: the session, and the restore without a standby. */
  double failoverSeconds() {
    return in.sessionMs() / 1000 + (in.standbys() > 0 ? 0 : restoreSeconds());
  }

  /** All numbers, in their order. */
  public List<PlanItem> items() {
    return List.copyOf(new PlanItems(this).all());
  }
}
