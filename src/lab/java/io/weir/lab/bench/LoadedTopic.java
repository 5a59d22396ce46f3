package io.weir.lab.bench;

/**
 * A load that is on its topic.
 *
 * @param readings how many there are
 * @param batches how many records
 * @param bytes compressed, as the broker keeps them
 */
public record LoadedTopic(Load load, long readings, long batches, long bytes) {
  public double bytesPerReading() {
    return (double) bytes / readings;
  }
}
