package io.weir.dev.bench;

import java.util.Optional;

/**
 * One thing to measure, once a round.
 *
 * @param group what is compared with each other: the name of a load, or of what is published
 * @param load to read; empty for what publishes
 * @param readings to publish; unused where there is a load
 * @param perSecond readings to offer a second; 0 for as many as possible
 */
record Step(String group, Subject subject, Optional<Load> load, long readings, long perSecond) {
  static Step reading(String group, Subject subject, Load load) {
    return new Step(group, subject, Optional.of(load), 0, 0);
  }

  static Step publishing(String group, Subject subject, long readings, long perSecond) {
    return new Step(group, subject, Optional.empty(), readings, perSecond);
  }

  Cell cell() {
    return new Cell(group, subject);
  }
}
