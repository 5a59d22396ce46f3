package io.weir.internal.ops;

import io.weir.Await;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RefreshedMetersTest {
  @Test
  void metersThatNobodyReads_areRefreshed_alsoAfterAFailure() {
    AtomicInteger refreshes = new AtomicInteger();
    ServiceMeters failing =
        new ServiceMeters() {
          @Override
          public void refresh() {
            refreshes.incrementAndGet();
            throw new IllegalStateException("no answer");
          }

          @Override
          public void close() {}
        };
    try (RefreshedMeters meters = RefreshedMeters.of(failing)) {
      Await.until(() -> meters != null && refreshes.get() == 2);
    }
  }
}
