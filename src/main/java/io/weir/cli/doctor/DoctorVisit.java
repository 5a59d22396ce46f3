package io.weir.cli.doctor;

import io.weir.app.WeirConfig;
import io.weir.cli.pages.Processes;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** One look at a cluster and its processes, with all checks. */
public final class DoctorVisit {
  private final Doctor.Diagnosis diagnosis;

  private DoctorVisit(Doctor.Diagnosis diagnosis) {
    this.diagnosis = diagnosis;
  }

  /**
   * Looks.
   *
   * @param between is run between two looks at offsets: waits
   * @param reader makes a consumer of committed records, without a group
   * @param urls of processes; none are asked where it is empty
   * @throws UncheckedIOException if an address of a process is none
   * @throws org.apache.kafka.common.KafkaException if the cluster does not
   */
  public static DoctorVisit make(
      Admin admin,
      WeirConfig config,
      Runnable between,
      Supplier<KafkaConsumer<byte[], byte[]>> reader,
      List<String> urls) {
    List<String> notLooked = new ArrayList<>();
    if (urls.isEmpty()) {
      notLooked.add(
          "processes, gaps, limits, hot, changelog, postgresql: --url http://HOST:8080 names them");
    }
    Processes processes = new Processes(urls);
    Examination examination =
        Examination.of(admin, config, between, reader, () -> Pages.ask(processes));
    Doctor.Diagnosis found = Doctor.withAll(System::currentTimeMillis).examine(examination);
    notLooked.addAll(found.notLooked());
    return new DoctorVisit(new Doctor.Diagnosis(found.findings(), notLooked));
  }

  /** Whether nothing is wrong now; notes on the past do not count. */
  public boolean isWell() {
    return diagnosis.isWell();
  }

  /** What was found, the worst first, for a person. */
  public List<String> lines() {
    return DoctorText.lines(diagnosis);
  }

  /** The same as one object. */
  public String json() {
    return DoctorText.json(diagnosis);
  }

  /** Checks that could not be made, each with why. */
  public List<String> notLooked() {
    return diagnosis.notLooked();
  }
}
