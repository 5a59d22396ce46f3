package io.weir.cli.plan;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** What is alive on the heap of this process. */
final class MeasuredHeap {
  private MeasuredHeap() {}

  /** Bytes of all objects after a full collection; what a heap "uses" varies from run to run. */
  static long bytes() throws JMException {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    String total = histogram.lines().reduce((before, line) -> line).orElseThrow();
    return Long.parseLong(total.strip().split(" +")[2]);
  }
}
