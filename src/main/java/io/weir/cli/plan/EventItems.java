package io.weir.cli.plan;

import static io.weir.cli.plan.ItemList.number;
import static io.weir.cli.plan.PlanUnit.BYTES;
import static io.weir.cli.plan.PlanUnit.BYTES_PER_SECOND;
import static io.weir.cli.plan.PlanUnit.COUNT;
import static io.weir.cli.plan.PlanUnit.PER_SECOND;
import static io.weir.cli.plan.PlanUnit.PROCESSORS;
import static io.weir.cli.plan.PlanUnit.SECONDS;

/** The numbers of {@code weir events}, each with its arithmetic. */
final class EventItems {
  private final Plan plan;
  private final EventsCost cost;
  private final PlanFigures measured;
  private final ItemList items;

  EventItems(Plan plan, ItemList items) {
    this.plan = plan;
    this.cost = plan.events().orElseThrow();
    this.measured = plan.figures();
    this.items = items;
  }

  void add() {
    items.section("weir events, " + cost.pods() + " pods");
    state();
    memory();
    items.section("Topics of weir events, one replica");
    topics();
    changelog();
  }

  private void state() {
    double bytes = cost.load().eventBytes();
    if (cost.load().timers() > 0) {
      items.add(
          "timers_bytes",
          "pending scheduled events",
          cost.timersHeap(),
          BYTES,
          "%s x (%s)",
          COUNT.write(cost.load().timers()),
          measured.get(Figure.TIMER_HEAP_BYTES).text(number(bytes) + " B"));
    }
    cost.load()
        .folds()
        .ifPresent(
            folds -> {
              items.add(
                  "folds_per_second",
                  "folds",
                  cost.foldsPerSecond(),
                  PER_SECOND,
                  cost.neverQuiet()
                      ? "%s keys are never quiet: one fold each per max hold, %s s"
                      : "the events of %s keys are further apart than quiet, %3$s s: each is a fold",
                  COUNT.write(folds.keys()),
                  number(folds.holdMs() / 1000),
                  number(folds.quietMs() / 1000));
              items.add(
                  "folds_bytes",
                  "open folds",
                  cost.foldsHeap(),
                  BYTES,
                  "%s x (%s)",
                  COUNT.write(cost.openFolds()),
                  measured.get(Figure.FOLD_HEAP_BYTES).text(number(folds.fields()) + " fields"));
            });
    cost.groups()
        .ifPresent(
            groups ->
                items.add(
                    "groups_bytes",
                    "group windows",
                    cost.groupsHeap(),
                    BYTES,
                    "%s groups x %s windows x (%s)",
                    COUNT.write(groups.load().groups()),
                    COUNT.write(groups.windowsOfGroup()),
                    measured
                        .get(Figure.GROUP_HEAP_BYTES)
                        .text(number(groups.sensorsOfGroup()) + " sensors")));
  }

  private void memory() {
    PlanInput in = plan.input();
    heap("events_pod_heap_bytes", "heap of a pod", cost.pods());
    heap(
        "events_pod_heap_after_loss_bytes",
        "heap after a pod failure",
        Math.max(1, cost.pods() - 1));
    items.add(
        "events_pod_limit_bytes",
        "memory limit of a pod",
        cost.limit(),
        BYTES,
        "that heap / %s, the heap's share of the limit",
        number(Plan.HEAP_SHARE));
    items.add(
        "events_processors",
        "busy processors, all pods",
        cost.processors(),
        PROCESSORS,
        "%s scheduled / %s%s",
        PER_SECOND.write(cost.load().scheduledRate()),
        PER_SECOND.write(measured.value(Figure.TIMERS_PER_PROCESSOR)),
        cost.load().folds().isEmpty()
            ? ""
            : " + "
                + PER_SECOND.write(cost.eventsPerSecond())
                + " folded / "
                + PER_SECOND.write(measured.value(Figure.FOLDED_PER_PROCESSOR)));
    items.add(
        "events_restore_seconds",
        "restore of a pod's state",
        cost.restoreSeconds(),
        SECONDS,
        "%s / %d pods / %s/s; it starts after the session timeout of %s s",
        BYTES.write(cost.changelogAtRest()),
        cost.pods(),
        BYTES.write(plan.figures().value(Figure.RESTORE_BYTES_PER_SECOND)),
        number(in.sessionMs() / 1000));
  }

  private void heap(String key, String label, int alive) {
    PlanInput in = plan.input();
    items.add(
        key,
        label,
        cost.heap(alive),
        BYTES,
        "%s + 2 x (%s x %d copies / %d pods + %d threads x %s)",
        BYTES.write(Plan.BASE_HEAP),
        BYTES.write(cost.stateBytes()),
        Math.min(alive, 1 + in.standbys()),
        alive,
        in.threadsPerPod(),
        BYTES.write(Plan.THREAD_HEAP));
  }

  private void topics() {
    for (TopicLoad topic : cost.topics()) {
      switch (topic.key()) {
        case "events" ->
            items.topic(
                topic,
                "%s (those that come due too) x %s B, of %s",
                PER_SECOND.write(cost.eventsPerSecond()),
                number(cost.eventBytes()),
                number(cost.load().eventBytes()));
        case "scheduled" ->
            items.topic(
                topic,
                "%s x %s B",
                PER_SECOND.write(cost.load().scheduledRate()),
                number(cost.eventBytes()));
        case "folded" ->
            items.topic(
                topic,
                "%s x %s B",
                PER_SECOND.write(cost.foldsPerSecond()),
                number(cost.foldBytes()));
        case "group_parts" ->
            items.topic(
                topic,
                "%s summaries of sensors x %s B",
                PER_SECOND.write(cost.groups().orElseThrow().partsPerSecond()),
                number(measured.value(Figure.GROUP_PART_BYTES)));
        default ->
            items.topic(
                topic,
                "%s windows x %s B",
                PER_SECOND.write(cost.groups().orElseThrow().windowsPerSecond()),
                number(measured.value(Figure.GROUP_BYTES)));
      }
    }
  }

  private void changelog() {
    items.add(
        "events_changelog_bytes_per_second",
        "changelogs",
        cost.changelogBytesPerSecond(),
        BYTES_PER_SECOND,
        "entries of scheduled events, of folds at each commit, of groups; and deletions");
    items.add(
        "events_changelog_at_rest_bytes",
        "  at rest",
        cost.changelogAtRest(),
        BYTES,
        "2 x %s live, plus a segment of each partition",
        BYTES.write(cost.changelogLive()));
  }
}
