package io.weir.cli.doctor;

import java.util.List;
import org.apache.kafka.common.KafkaException;

/** Checks for one kind of problem. Changes nothing. */
interface Check {
  /** Its name: lower case, with dashes. */
  String name();

  /**
   * The findings; empty if there are none.
   *
   * @throws KafkaException if the cluster does not answer or denies the request
   */
  List<Finding> look(Examination cluster);

  /** A finding of this check. */
  default Finding broken(String what, String why, String remedy) {
    return new Finding(Severity.BROKEN, name(), what, why, remedy);
  }

  /** A finding of this check. */
  default Finding risk(String what, String why, String remedy) {
    return new Finding(Severity.RISK, name(), what, why, remedy);
  }

  /** A finding from a counter: a risk, or a note if the counter is old. */
  default Finding counted(CounterDelta counted, String what, String why, String remedy) {
    return counted.isRecent() ? risk(what, why, remedy) : note(what, why, remedy);
  }

  /** A finding of this check. */
  default Finding note(String what, String why, String remedy) {
    return new Finding(Severity.NOTE, name(), what, why, remedy);
  }
}
