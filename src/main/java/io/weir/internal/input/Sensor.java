package io.weir.internal.input;

import io.weir.reading.Fnv1a;
import io.weir.topic.SensorPartition;

/**
 * A sensor as an input names it.
 *
 * @param id its id
 * @param idBytes length of the id in UTF-8
 * @param partition of its id
 * @param source a hash of the series that the id was made of; 0 if unknown
 */
public record Sensor(String id, int idBytes, int partition, long source) {
  /** In place of a sensor that its client may not write. */
  public static final Sensor FOREIGN = new Sensor("", 0, 0, 0);

  /**
   * A sensor.
   *
   * @param utf8 the bytes of the id
   * @param series names the series: two series with one id are a collision
   */
  public static Sensor of(String id, byte[] utf8, String series) {
    int partition = SensorPartition.ofHash(Fnv1a.hash(utf8, 0, utf8.length));
    long source = Fnv1a.hash64(series);
    return new Sensor(id, utf8.length, partition, source == 0 ? 1 : source);
  }
}
