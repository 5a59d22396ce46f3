package io.weir.cli.plan;

import io.weir.cli.plan.PlannedJobs.EventLoad;
import io.weir.cli.plan.PlannedJobs.FoldLoad;
import io.weir.cli.plan.PlannedJobs.GroupLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The resources of {@code weir events}: scheduled events, folds and groups. */
final class EventsCost {
  private static final double DAY_MS = 86_400_000;

  /** Represents folds without events. */
  private static final FoldLoad NONE = new FoldLoad(0, 0, 1, 1);

  private final PlanInput in;
  private final PlanFigures figures;
  private final EventLoad load;
  private final FoldLoad folds;
  private final Optional<GroupsCost> groups;

  EventsCost(PlanInput in, PlanFigures figures, EventLoad load) {
    this.in = in;
    this.figures = figures;
    this.load = load;
    this.folds = load.folds().orElse(NONE);
    this.groups = load.groups().map(g -> new GroupsCost(in, this.figures, g));
  }

  EventLoad load() {
    return load;
  }

  Optional<GroupsCost> groups() {
    return groups;
  }

  /** Events on weir.events: sent ones and due ones. */
  double eventsPerSecond() {
    return load.rate() + load.scheduledRate();
  }

  double eventBytes() {
    return figures.at(Figure.EVENT_BYTES, load.eventBytes());
  }

  /** Mean time between the events of a key. */
  private double keyPeriodMs() {
    return folds.keys() * 1000 / eventsPerSecond();
  }

  /** Whether the events of a key are closer than weir.fold.quiet. */
  boolean neverQuiet() {
    return keyPeriodMs() <= folds.quietMs();
  }

  /** A key that is never quiet has a fold per max hold; for other keys each event is a fold. */
  double foldsPerSecond() {
    if (folds.keys() == 0 || eventsPerSecond() == 0) {
      return 0;
    }
    return neverQuiet()
        ? folds.keys() * 1000 / (folds.holdMs() + keyPeriodMs())
        : eventsPerSecond();
  }

  /** Number of simultaneously open folds. */
  double openFolds() {
    if (foldsPerSecond() == 0) {
      return 0;
    }
    return neverQuiet() ? folds.keys() : eventsPerSecond() * folds.quietMs() / 1000;
  }

  double timersHeap() {
    return load.timers() * figures.at(Figure.TIMER_HEAP_BYTES, load.eventBytes());
  }

  double foldsHeap() {
    return openFolds() * figures.at(Figure.FOLD_HEAP_BYTES, folds.fields());
  }

  double groupsHeap() {
    return groups.map(GroupsCost::heapBytes).orElse(0.0);
  }

  double stateBytes() {
    return timersHeap() + foldsHeap() + groupsHeap();
  }

  /** A timer is written and deleted; a fold is written at each commit after a change. */
  double changelogBytesPerSecond() {
    double deletion = figures.value(Figure.DELETION_BYTES);
    double timers =
        load.scheduledRate() * (figures.at(Figure.TIMER_ENTRY_BYTES, load.eventBytes()) + deletion);
    double puts = Math.min(eventsPerSecond(), openFolds() * 1000 / in.betweenCommitsMs());
    double ofFolds =
        puts * figures.at(Figure.FOLD_ENTRY_BYTES, folds.fields())
            + foldsPerSecond() * 3 * deletion;
    return timers
        + (foldsPerSecond() == 0 ? 0 : ofFolds)
        + groups.map(GroupsCost::changelogBytesPerSecond).orElse(0.0);
  }

  double changelogLive() {
    return load.timers() * figures.at(Figure.TIMER_KEPT_BYTES, load.eventBytes())
        + openFolds() * figures.at(Figure.FOLD_KEPT_BYTES, folds.fields())
        + groups.map(GroupsCost::changelogLive).orElse(0.0);
  }

  /** The written topics; weir.events is read again if folding is enabled. */
  List<TopicLoad> topics() {
    List<TopicLoad> topics = new ArrayList<>();
    topics.add(
        topic("events", eventsPerSecond() * eventBytes(), 14, load.folds().isPresent() ? 1 : 0));
    topics.add(topic("scheduled", load.scheduledRate() * eventBytes(), 14, 1));
    if (load.folds().isPresent()) {
      topics.add(topic("folded", foldsPerSecond() * foldBytes(), 30, 1));
    }
    groups.ifPresent(
        cost -> {
          topics.add(topic("group-parts", cost.partsBytesPerSecond(), 3, 1));
          topics.add(topic("groups", cost.groupsBytesPerSecond(), 30, 1));
        });
    return topics;
  }

  private static TopicLoad topic(String name, double bytesPerSecond, double days, double read) {
    return new TopicLoad(
        "weir." + name, name.replace('-', '_'), bytesPerSecond, days * DAY_MS, read);
  }

  double foldBytes() {
    return figures.at(Figure.FOLD_BYTES, folds.fields());
  }

  double processors() {
    return load.scheduledRate() / figures.value(Figure.TIMERS_PER_PROCESSOR)
        + (folds.keys() == 0 ? 0 : eventsPerSecond() / figures.value(Figure.FOLDED_PER_PROCESSOR));
  }

  /** The limits of a partition that the load exceeds if spread evenly. */
  List<String> beyond() {
    List<String> lines = new ArrayList<>();
    limit(lines, "timers", load.timers() / Plan.PARTITIONS, 1_000_000, "");
    limit(lines, "bytes of timers", counted(timersHeap()), 256 << 20, "weir.timers.max.bytes");
    limit(lines, "bytes of folds", counted(foldsHeap()), 128 << 20, "weir.fold.max.bytes");
    limit(lines, "bytes of groups", counted(groupsHeap()), 128 << 20, "weir.groups.max.bytes");
    return lines;
  }

  /** The limits count a quarter more than the heap in use. */
  private static double counted(double heap) {
    return 1.25 * heap / Plan.PARTITIONS;
  }

  private static void limit(
      List<String> lines, String what, double value, double most, String key) {
    if (value > most) {
      lines.add(
          "a partition would have %s %s, and %s"
              .formatted(
                  PlanUnit.COUNT.write(value),
                  what,
                  key.isEmpty()
                      ? "can have " + PlanUnit.COUNT.write(most)
                      : key + " is " + PlanUnit.COUNT.write(most)));
    }
  }

  int pods() {
    return load.pods();
  }

  /** The heap of a pod among this number of pods, calculated as for the aggregator. */
  double heap(int alive) {
    return Plan.heap(stateBytes(), alive, in);
  }

  /** The memory limit with which a pod survives the failure of another. */
  double limit() {
    return heap(Math.max(1, pods() - 1)) / Plan.HEAP_SHARE;
  }

  double changelogAtRest() {
    return Plan.changelogAtRest(changelogLive(), changelogBytesPerSecond());
  }

  double restoreSeconds() {
    return changelogAtRest() / pods() / figures.value(Figure.RESTORE_BYTES_PER_SECOND);
  }

  /** The resources of group windows. */
  static final class GroupsCost {
    private final PlanInput in;
    private final PlanFigures figures;
    private final GroupLoad load;

    GroupsCost(PlanInput in, PlanFigures figures, GroupLoad load) {
      this.in = in;
      this.figures = figures;
      this.load = load;
    }

    GroupLoad load() {
      return load;
    }

    double sensorsOfGroup() {
      return in.sensors() / load.groups();
    }

    private double spanMs() {
      return Math.max(load.sizeMs(), in.periodMs());
    }

    /** Windows of a group in memory: those within keep, and the current one. */
    double windowsOfGroup() {
      return Math.ceil(load.keepMs() / spanMs()) + 1;
    }

    double windowsPerSecond() {
      return load.groups() * 1000 / spanMs();
    }

    /** Summaries of sensors that are sent to their groups. */
    double partsPerSecond() {
      return in.sensors() * 1000 / spanMs();
    }

    double heapBytes() {
      return load.groups()
          * windowsOfGroup()
          * figures.at(Figure.GROUP_HEAP_BYTES, sensorsOfGroup());
    }

    /**
     * A window is written at each commit with a new part, at its emission and at its deletion; each
     * part is written once and deleted.
     */
    double changelogBytesPerSecond() {
      double deletion = figures.value(Figure.DELETION_BYTES);
      double commits = Math.max(1, in.periodMs() / in.betweenCommitsMs());
      double puts = 1 + Math.min(sensorsOfGroup(), commits);
      double window = puts * figures.value(Figure.GROUP_WINDOW_ENTRY_BYTES) + deletion;
      double part = figures.value(Figure.GROUP_PART_ENTRY_BYTES) + deletion;
      return windowsPerSecond() * window + partsPerSecond() * part;
    }

    double changelogLive() {
      return load.groups()
          * windowsOfGroup()
          * figures.at(Figure.GROUP_KEPT_BYTES, sensorsOfGroup());
    }

    double partsBytesPerSecond() {
      return partsPerSecond() * figures.value(Figure.GROUP_PART_BYTES);
    }

    double groupsBytesPerSecond() {
      return windowsPerSecond() * figures.value(Figure.GROUP_BYTES);
    }
  }
}
