package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.Batches.sensor;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.RejectReason;
import io.weir.v1.Reading;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A topology, and what it refused. */
abstract class RejectionFixture {
  static final long T = 1_700_000_000_000L;
  static final String A = sensor(0);
  static final Reading GOOD = reading(A, T, 1);
  WeirDriver weir = new WeirDriver(WeirDriver.SPEC);

  @AfterEach
  void close() {
    weir.close();
  }

  DeadLetter refusedWhole(RejectReason reason) {
    DeadLetter deadLetter = only(weir.deadLetters());
    assertThat(deadLetter.reason()).isEqualTo(reason);
    assertThat(weir.windows()).isEmpty();
    return deadLetter;
  }

  List<Reading> rejected(RejectReason reason) {
    return weir.deadLetters().stream()
        .filter(deadLetter -> deadLetter.reason() == reason)
        .flatMap(deadLetter -> deadLetter.batch().getReadingsList().stream())
        .toList();
  }

  static <X> X only(List<X> list) {
    assertThat(list).hasSize(1);
    return list.get(0);
  }
}
