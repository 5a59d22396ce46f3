package io.weir.lab.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is measured, in the order of a round.
 *
 * @param loads to be generated beforehand
 * @param steps in turn, again in every round
 * @param threads of Weir, and of what is compared with it
 * @param fleet that sends at its own pace, where there is one
 */
public record BenchPlan(
    BenchScale scale, int threads, List<Load> loads, List<Step> steps, Optional<Fleet> fleet) {
  /** The group of a paced fleet. */
  public static final String FLEET = "fleet";

  /** The group of Weir with all partitions and no sensors. */
  public static final String REST = "rest";

  /** The group of the dense load with rollups and without. */
  public static final String ROLLUPS = "rollups";

  /** The dense load in rows and in columns, without signatures and with: a group each. */
  public static final String SIGNED = "signed";

  /** The group of one sensor that gives a partition all it takes, and of its neighbours. */
  public static final String HOT = "hot";

  /** Status and rules, folds and timers; each is a group of its own. */
  public static final String EVENTS = "events";

  static final String EVENTS_STATUS = EVENTS + "_status";
  static final String EVENTS_FOLD = EVENTS + "_fold";
  static final String EVENTS_HANDLERS = EVENTS + "_handlers";
  static final String EVENTS_TIMERS = EVENTS + "_timers";

  private static final long MOST_FOLDED = 10_000_000;
  private static final long MOST_HANDLED = 100_000L * EventBatches.EVENTS_OF_A_KEY;
  private static final long MOST_TIMERS = 1_000_000;
  private static final long DUE_A_SECOND = 50_000;

  static final String PUBLISH = "publish";
  static final String CLOSE = "close";

  /** A reading a millisecond of event time, which lies within the last hours. */
  private static final long MOST_HOT_READINGS = 20_000_000;

  private static final List<Long> RATES = List.of(10_000L, 100_000L, 1_000_000L);

  public BenchPlan {
    loads = List.copyOf(loads);
    steps = List.copyOf(steps);
  }

  /**
   * Plans a bench.
   *
   * @param wanted selects what is measured, by the name of a group, such as {@code dense_row} or
   *     {@code publish}, and a subject
   * @param before whether another build of Weir is measured too
   * @param recordings files of readings whose size on the topic is measured
   */
  public static BenchPlan of(
      BenchScale scale,
      int threads,
      Predicate<String> wanted,
      List<Subject> subjects,
      boolean before,
      List<Path> recordings) {
    List<Step> steps = new ArrayList<>();
    for (LoadShape shape : LoadShape.values()) {
      for (LoadForm form : LoadForm.values()) {
        if (isMeasured(scale, shape, form)) {
          steps.addAll(reading(scale, shape, form));
        }
      }
    }
    steps.addAll(publishing(scale));
    steps.removeIf(
        step ->
            !wanted.test(step.group())
                || !subjects.contains(step.subject())
                || step.subject() == Subject.WEIR_BEFORE && !before);
    for (Recording recording : Recording.of(recordings)) {
      steps.add(Step.publishing(recording, scale.recorded()));
    }
    List<Load> loads = steps.stream().flatMap(step -> step.load().stream()).distinct().toList();
    return new BenchPlan(scale, threads, loads, steps, Optional.empty());
  }

  /**
   * This plan with a paced fleet behind it: with this build, where wanted with another, with
   * weir.latest, and without Weir.
   *
   * @param subjects those of them that are measured
   */
  public BenchPlan with(Fleet paced, List<Subject> subjects, boolean before) {
    List<Step> all = new ArrayList<>(steps);
    Stream.of(Subject.WEIR, Subject.WEIR_BEFORE, Subject.WEIR_LATEST, Subject.OFF)
        .filter(subject -> subjects.contains(subject))
        .filter(subject -> subject != Subject.WEIR_BEFORE || before)
        .forEach(subject -> all.add(Step.live(FLEET, subject, paced)));
    return new BenchPlan(scale, threads, loads, all, Optional.of(paced));
  }

  /** This plan with Weir behind it that has nothing to do. */
  public BenchPlan withRest() {
    List<Step> all = new ArrayList<>(steps);
    all.add(Step.publishing(REST, Subject.RESTING, 1, 0));
    return new BenchPlan(scale, threads, loads, all, fleet);
  }

  /** This plan with the dense load behind it, without rollups and with them. */
  public BenchPlan withRollups() {
    Load load = new Load(LoadShape.DENSE, LoadForm.ROW, scale.readings());
    List<Step> all = new ArrayList<>(steps);
    all.add(Step.reading(ROLLUPS, Subject.WEIR, load));
    all.add(Step.reading(ROLLUPS, Subject.WEIR_ROLLUPS, load));
    List<Load> allLoads = all.stream().flatMap(step -> step.load().stream()).distinct().toList();
    return new BenchPlan(scale, threads, allLoads, all, fleet);
  }

  /** This plan with the dense load behind it, without signatures, and signed and verified. */
  public BenchPlan withSigned() {
    List<Step> all = new ArrayList<>(steps);
    for (LoadForm form : LoadForm.values()) {
      Load load = new Load(LoadShape.DENSE, form, readings(scale, LoadShape.DENSE, form));
      all.add(Step.reading(signed(form), Subject.WEIR, load));
      all.add(Step.reading(signed(form), Subject.WEIR_SIGNED, load.withSignatures()));
    }
    List<Load> allLoads = all.stream().flatMap(step -> step.load().stream()).distinct().toList();
    return new BenchPlan(scale, threads, allLoads, all, fleet);
  }

  /**
   * This plan with each process killed in the middle of its load, and started again.
   *
   * @throws IllegalArgumentException if something is planned that would not go on where it was
   */
  public BenchPlan withKills() {
    for (Step step : steps) {
      if (step.load().isEmpty() || !step.subject().comesBack() || step.keptWindows() > 0) {
        throw new IllegalArgumentException(
            step.group() + " with " + step.subject() + " cannot be killed and started again");
      }
    }
    return new BenchPlan(scale, threads, loads, steps.stream().map(Step::kill).toList(), fleet);
  }

  /** The group of a form of the signed load. */
  static String signed(LoadForm form) {
    return (SIGNED + "_" + form).toLowerCase(Locale.ROOT);
  }

  /**
   * This plan with events behind it: the dense load without and with status and rules, folding
   * beside the DSL, and timers that come due.
   *
   * @param subjects those of them that are measured
   */
  public BenchPlan withEvents(List<Subject> subjects) {
    Load load = new Load(LoadShape.DENSE, LoadForm.ROW, scale.readings());
    List<Step> all = new ArrayList<>(steps);
    all.add(Step.reading(EVENTS_STATUS, Subject.WEIR, load));
    all.add(Step.reading(EVENTS_STATUS, Subject.WEIR_STATUS, load));
    long folded = Math.min(scale.readings(), MOST_FOLDED);
    all.add(
        Step.publishing(
            EVENTS_FOLD, Subject.FOLDS_DSL, EventBatches.wholeBatches(scale.dslReadings()), 0));
    all.add(Step.publishing(EVENTS_FOLD, Subject.FOLDS, EventBatches.wholeBatches(folded), 0));
    long handled = EventBatches.wholeBatches(Math.min(scale.readings(), MOST_HANDLED));
    all.add(Step.publishing(EVENTS_HANDLERS, Subject.HANDLERS, handled, 0));
    all.add(
        Step.publishing(
            EVENTS_TIMERS, Subject.TIMERS, Math.min(scale.readings(), MOST_TIMERS), DUE_A_SECOND));
    all.removeIf(step -> step.group().startsWith(EVENTS) && !subjects.contains(step.subject()));
    List<Load> allLoads = all.stream().flatMap(step -> step.load().stream()).distinct().toList();
    return new BenchPlan(scale, threads, allLoads, all, fleet);
  }

  /**
   * This plan with one sensor behind it that gives a partition all it takes, in rows and in
   * columns; then the neighbours in other partitions, without and with such a sensor.
   */
  public BenchPlan withHot(Fleet neighbours, long hotPerSecond) {
    List<Step> all = new ArrayList<>(steps);
    for (LoadForm form : LoadForm.values()) {
      Load load = new Load(LoadShape.HOT, form, Math.min(scale.readings(), MOST_HOT_READINGS));
      all.add(Step.reading(load.name(), Subject.LOOP, load));
      all.add(Step.reading(load.name(), Subject.WEIR, load));
    }
    all.add(Step.live(HOT + "_neighbours_alone", Subject.WEIR, neighbours.beside(0)));
    all.add(Step.live(HOT + "_neighbours", Subject.WEIR, neighbours.beside(hotPerSecond)));
    List<Load> allLoads = all.stream().flatMap(step -> step.load().stream()).distinct().toList();
    return new BenchPlan(scale, threads, allLoads, all, fleet);
  }

  private static boolean isMeasured(BenchScale scale, LoadShape shape, LoadForm form) {
    return switch (shape) {
      case DENSE, WIDE -> true;
      case HOT -> false;
      case CALM, MANY -> scale.thorough();
      case KEPT -> scale.thorough() && form == LoadForm.COLUMNAR;
    };
  }

  private static List<Step> reading(BenchScale scale, LoadShape shape, LoadForm form) {
    Load load = new Load(shape, form, readings(scale, shape, form));
    List<Step> steps = new ArrayList<>();
    steps.add(Step.reading(load.name(), Subject.LOOP, load));
    if (shape == LoadShape.DENSE || shape != LoadShape.KEPT && scale.thorough()) {
      steps.add(Step.reading(load.name(), Subject.LOOP_SAME_THREADS, load));
    }
    if (shape == LoadShape.DENSE && form == LoadForm.ROW) {
      Load part = new Load(shape, form, scale.dslReadings(), "_part", false);
      steps.add(Step.reading(load.name(), Subject.DSL, part));
    }
    steps.add(Step.reading(load.name(), Subject.WEIR, load));
    steps.add(Step.reading(load.name(), Subject.WEIR_BEFORE, load));
    if (shape == LoadShape.DENSE || shape == LoadShape.WIDE || shape == LoadShape.CALM) {
      Stream.of(Subject.values())
          .filter(Subject::isRival)
          .forEach(peer -> steps.add(Step.reading(load.name(), peer, load)));
    }
    return steps;
  }

  private static long readings(BenchScale scale, LoadShape shape, LoadForm form) {
    return switch (shape) {
      case DENSE -> form == LoadForm.COLUMNAR ? 2 * scale.readings() : scale.readings();
      case CALM -> form == LoadForm.COLUMNAR ? scale.readings() : (scale.readings() + 1) / 2;
      case WIDE, MANY -> scale.wideReadings();
      case KEPT -> scale.keptReadings();
      case HOT -> scale.readings();
    };
  }

  private static List<Step> publishing(BenchScale scale) {
    List<Step> steps = new ArrayList<>();
    steps.add(Step.publishing(PUBLISH, Subject.PUBLISHER, scale.published(), 0));
    steps.add(Step.publishing(PUBLISH, Subject.SINGLE_SENDS, scale.singlySent(), 0));
    if (scale.thorough()) {
      steps.addAll(latencies(scale));
    }
    return steps;
  }

  private static List<Step> latencies(BenchScale scale) {
    List<Step> steps = new ArrayList<>();
    for (long rate : RATES) {
      steps.add(
          Step.publishing(
              String.format(Locale.ROOT, "%s_at_%dk", PUBLISH, rate / 1000),
              Subject.OFFER_LATENCY,
              rate * scale.latencySeconds(),
              rate));
    }
    steps.add(Step.publishing(CLOSE, Subject.CLOSE_LATENCY, scale.closedWindows(), 0));
    steps.add(Step.publishing(CLOSE, Subject.GRACE_LATENCY, scale.closedWindows(), 0));
    steps.add(Step.publishing(CLOSE, Subject.FINAL_LATENCY, scale.closedWindows(), 0));
    return steps;
  }
}
