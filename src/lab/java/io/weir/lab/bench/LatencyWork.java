package io.weir.lab.bench;

/**
 * Work that is measured by its latencies: it has processed what has a latency, and a wait at its
 * end would show nothing.
 */
abstract class LatencyWork implements Work {
  protected final Task task;
  protected final Latencies latencies;

  /** One latency for each reading of the task. */
  LatencyWork(Task task) {
    this.task = task;
    this.latencies = new Latencies(Math.toIntExact(task.readings()));
  }

  /**
   * @throws RuntimeException if it cannot go on
   */
  protected void requireHealthy() {}

  @Override
  public final long processed() {
    requireHealthy();
    return latencies.known();
  }

  @Override
  public final boolean settled() {
    return true;
  }

  @Override
  public final Figures extras() {
    return latencies.figures((int) task.warmUp());
  }
}
