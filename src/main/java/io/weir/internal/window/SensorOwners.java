package io.weir.internal.window;

import io.weir.internal.window.aggregate.SampleRoom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The gateways whose readings created the sensors of a partition, and their numbers of sensors and
 * samples. A sensor stores its owner's number, which is local to the partition; a gateway is an
 * owner while one of its sensors is kept. Not thread-safe.
 */
public final class SensorOwners {
  /** No owner. A sensor that a gateway created has another number. */
  public static final int NOBODY = 0;

  /** The owner of all sensors without a boot id. No gateway has this name. */
  static final String UNSEQUENCED = "";

  private final int mostSensors;
  private final SampleRoom samples;
  private SampleRoom.Share ofNobody;
  private final Map<String, Owner> byId = new HashMap<>();
  private final TreeMap<Integer, Owner> byNumber = new TreeMap<>();
  private final Map<String, Integer> added = new LinkedHashMap<>();
  private final List<String> removed = new ArrayList<>();

  private static final class Owner {
    final String gatewayId;
    final int number;
    int sensors;
    SampleRoom.Share samples;

    Owner(String gatewayId, int number, SampleRoom.Share samples) {
      this.gatewayId = gatewayId;
      this.number = number;
      this.samples = samples;
    }
  }

  /**
   * @param mostSensors maximum number of sensors per owner
   * @param samples of the windows of all sensors
   */
  SensorOwners(int mostSensors, SampleRoom samples) {
    this.mostSensors = mostSensors;
    this.samples = samples;
    this.ofNobody = samples.new Share();
  }

  /** Whether a gateway may have another sensor. */
  boolean hasRoom(String gatewayId) {
    Owner owner = byId.get(gatewayId);
    return owner == null || owner.sensors < mostSensors;
  }

  /** A gateway created a sensor. */
  void made(String gatewayId, SensorWindows sensor) {
    Owner owner = byId.get(gatewayId);
    if (owner == null) {
      int number = byNumber.isEmpty() ? NOBODY + 1 : byNumber.lastKey() + 1;
      owner = new Owner(gatewayId, number, samples.new Share());
      byId.put(gatewayId, owner);
      byNumber.put(owner.number, owner);
      added.put(gatewayId, owner.number);
    }
    owner.sensors++;
    sensor.owner(owner.number);
  }

  /** A sensor was purged. */
  void purged(SensorWindows sensor) {
    Owner owner = byNumber.get(sensor.owner());
    if (owner != null && --owner.sensors == 0) {
      byId.remove(owner.gatewayId);
      byNumber.remove(owner.number);
      added.remove(owner.gatewayId);
      removed.add(owner.gatewayId);
    }
  }

  /** The largest number of sensors of a gateway. Visits each gateway. */
  public int mostSensorsOfOne() {
    return byId.values().stream().mapToInt(owner -> owner.sensors).max().orElse(0);
  }

  /** Restores a gateway. */
  public void restore(String gatewayId, int number) {
    byId.put(gatewayId, new Owner(gatewayId, number, samples.new Share()));
  }

  /** Removes a restored gateway. */
  public void dropRestored(String gatewayId) {
    byId.remove(gatewayId);
  }

  /** The window of a sensor entered the state: its samples are those of the sensor's gateway. */
  void opened(SensorWindows sensor, Window window) {
    if (window.samples() != null) {
      Owner owner = byNumber.get(sensor.owner());
      window.samples().enter(owner == null ? ofNobody : owner.samples);
    }
  }

  /** Counts the sensors and samples after the restore. */
  void resume(SensorTable sensors) {
    byNumber.clear();
    samples.clear();
    ofNobody = samples.new Share();
    for (Owner owner : byId.values()) {
      byNumber.put(owner.number, owner);
      owner.sensors = 0;
      owner.samples = samples.new Share();
    }
    sensors.forEach(
        sensor -> {
          Owner owner = byNumber.get(sensor.owner());
          if (owner != null) {
            owner.sensors++;
          }
          for (int i = 0; i < sensor.windows(); i++) {
            opened(sensor, sensor.window(i));
          }
        });
  }

  /** Gateways to delete, before any is written. */
  public List<String> removed() {
    return removed;
  }

  /** Gateways to write, with their numbers. */
  public Map<String, Integer> added() {
    return added;
  }

  /** All changes were written. */
  public void written() {
    added.clear();
    removed.clear();
  }

  void clear() {
    byId.clear();
    byNumber.clear();
    samples.clear();
    ofNobody = samples.new Share();
    written();
  }
}
