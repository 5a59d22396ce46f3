package io.weir.cli.doctor;

import java.util.List;
import org.apache.kafka.common.KafkaException;

/** Looks for one kind of trouble. Changes nothing. */
interface Check {
  /** Its name, in a word or two with dashes. */
  String name();

  /**
   * What is wrong; empty where nothing is.
   *
   * @throws KafkaException where the cluster does not answer, or does not allow it
   */
  List<Finding> look(Examination of);

  /** A finding of this check. */
  default Finding broken(String what, String why, String remedy) {
    return new Finding(Severity.BROKEN, name(), what, why, remedy);
  }

  /** A finding of this check. */
  default Finding risk(String what, String why, String remedy) {
    return new Finding(Severity.RISK, name(), what, why, remedy);
  }

  /** A finding of what processes counted: a risk, or a note where it is of the past. */
  default Finding counted(Counted counted, String what, String why, String remedy) {
    return counted.isRecent() ? risk(what, why, remedy) : note(what, why, remedy);
  }

  /** A finding of this check. */
  default Finding note(String what, String why, String remedy) {
    return new Finding(Severity.NOTE, name(), what, why, remedy);
  }
}
