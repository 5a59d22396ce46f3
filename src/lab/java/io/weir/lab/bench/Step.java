package io.weir.lab.bench;

import java.util.Optional;

/**
 * One thing to measure, once a round.
 *
 * @param group what is compared with each other: the name of a load, or of what is published
 * @param load to read; empty for what publishes
 * @param recording to publish, where it is one
 * @param readings to publish; unused where there is a load
 * @param perSecond readings to offer a second; 0 for as many as possible
 * @param fleet that sends at its own pace, where it is one
 * @param killed whether the process is killed in the middle and started again, instead of measured
 */
record Step(
    String group,
    Subject subject,
    Optional<Load> load,
    Optional<Recording> recording,
    long readings,
    long perSecond,
    Optional<Fleet> fleet,
    boolean killed) {
  static Step reading(String group, Subject subject, Load load) {
    return new Step(
        group, subject, Optional.of(load), Optional.empty(), 0, 0, Optional.empty(), false);
  }

  static Step publishing(String group, Subject subject, long readings, long perSecond) {
    return new Step(
        group,
        subject,
        Optional.empty(),
        Optional.empty(),
        readings,
        perSecond,
        Optional.empty(),
        false);
  }

  static Step publishing(Recording recording, long readings) {
    String group = recording.name() + " " + recording.compression();
    return new Step(
        group,
        Subject.RECORDING,
        Optional.empty(),
        Optional.of(recording),
        readings,
        0,
        Optional.empty(),
        false);
  }

  static Step live(String group, Subject subject, Fleet fleet) {
    return new Step(
        group,
        subject,
        Optional.empty(),
        Optional.empty(),
        fleet.readings(),
        Math.max(1, Math.round(fleet.perSecond())),
        Optional.of(fleet),
        false);
  }

  /** The same, killed in the middle and started again. */
  Step kill() {
    return new Step(group, subject, load, recording, readings, perSecond, fleet, true);
  }

  Cell cell() {
    return new Cell(group, subject);
  }

  /** Of so many readings the first ones, which are not measured. */
  long warmUp(long ofReadings) {
    int percent = load.map(l -> l.shape().warmUpPercent()).orElse(BenchScale.WARM_UP_PERCENT);
    return fleet.map(Fleet::warmUpReadings).orElse(ofReadings * percent / 100);
  }

  /** Closed windows that Weir keeps of every sensor. */
  int keptWindows() {
    return load.map(l -> l.shape().keptWindows()).orElse(0);
  }
}
