package io.weir.cli.doctor;

import io.weir.cli.pages.Processes;
import io.weir.internal.app.WeirConfig;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Examines a cluster and its processes with all checks. */
public final class DoctorVisit {
  private final Doctor.Diagnosis diagnosis;

  private DoctorVisit(Doctor.Diagnosis diagnosis) {
    this.diagnosis = diagnosis;
  }

  /**
   * Examines the cluster.
   *
   * @param between runs between two samples of offsets: waits
   * @param reader creates a read_committed consumer without a group
   * @param urls addresses of processes; may be empty
   * @throws UncheckedIOException if an address of a process is invalid
   * @throws org.apache.kafka.common.KafkaException if the cluster does not answer
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
          "processes, gaps, limits, hot, changelog, postgresql, import, inputs: need --url"
              + " http://HOST:8080");
    }
    Processes processes = new Processes(urls);
    Examination examination =
        Examination.of(admin, config, between, reader, () -> Pages.ask(processes));
    Doctor.Diagnosis found = Doctor.withAll(System::currentTimeMillis).examine(examination);
    notLooked.addAll(found.notLooked());
    return new DoctorVisit(new Doctor.Diagnosis(found.findings(), notLooked));
  }

  /** Whether there are no findings except notes. */
  public boolean isWell() {
    return diagnosis.isWell();
  }

  /** The findings as text, most severe first. */
  public List<String> lines() {
    return DoctorText.lines(diagnosis);
  }

  /** The findings as a JSON object. */
  public String json() {
    return DoctorText.json(diagnosis);
  }

  /** Checks that failed to run, each with the reason. */
  public List<String> notLooked() {
    return diagnosis.notLooked();
  }
}
