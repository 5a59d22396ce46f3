package io.weir.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The gateways whose readings made the sensors of a partition, and how many each has. A sensor
 * keeps its owner's number, which is small and means nothing outside of the partition; a gateway is
 * an owner as long as one of its sensors is kept. Not safe for several threads.
 */
public final class SensorOwners {
  /** No sensor has it once a gateway has made it. */
  public static final int NOBODY = 0;

  /** The owner of all sensors that came without a boot id. No gateway with one has this name. */
  static final String UNSEQUENCED = "";

  private final int mostSensors;
  private final Map<String, Owner> byId = new HashMap<>();
  private final TreeMap<Integer, Owner> byNumber = new TreeMap<>();
  private final Map<String, Integer> added = new LinkedHashMap<>();
  private final List<String> removed = new ArrayList<>();

  private static final class Owner {
    final String gatewayId;
    final int number;
    int sensors;

    Owner(String gatewayId, int number) {
      this.gatewayId = gatewayId;
      this.number = number;
    }
  }

  /**
   * @param mostSensors that one owner may have
   */
  SensorOwners(int mostSensors) {
    this.mostSensors = mostSensors;
  }

  /** Whether a gateway may have one sensor more. */
  boolean hasRoom(String gatewayId) {
    Owner owner = byId.get(gatewayId);
    return owner == null || owner.sensors < mostSensors;
  }

  /** A gateway has a new sensor. */
  void made(String gatewayId, SensorWindows sensor) {
    Owner owner = byId.get(gatewayId);
    if (owner == null) {
      owner = new Owner(gatewayId, byNumber.isEmpty() ? NOBODY + 1 : byNumber.lastKey() + 1);
      byId.put(gatewayId, owner);
      byNumber.put(owner.number, owner);
      added.put(gatewayId, owner.number);
    }
    owner.sensors++;
    sensor.owner(owner.number);
  }

  /** A sensor is kept no longer. */
  void purged(SensorWindows sensor) {
    Owner owner = byNumber.get(sensor.owner());
    if (owner != null && --owner.sensors == 0) {
      byId.remove(owner.gatewayId);
      byNumber.remove(owner.number);
      added.remove(owner.gatewayId);
      removed.add(owner.gatewayId);
    }
  }

  /** Sensors of the gateway that has most. Looks at each gateway. */
  public int mostSensorsOfOne() {
    return byId.values().stream().mapToInt(owner -> owner.sensors).max().orElse(0);
  }

  /** Puts back what was kept. */
  public void restore(String gatewayId, int number) {
    byId.put(gatewayId, new Owner(gatewayId, number));
  }

  /** Takes out what was not kept after all. */
  public void dropRestored(String gatewayId) {
    byId.remove(gatewayId);
  }

  /** Counts again, after all that was kept has been put back. */
  void resume(SensorTable sensors) {
    byNumber.clear();
    byId.values().forEach(owner -> byNumber.put(owner.number, owner));
    byId.values().forEach(owner -> owner.sensors = 0);
    sensors.forEach(
        sensor -> {
          Owner owner = byNumber.get(sensor.owner());
          if (owner != null) {
            owner.sensors++;
          }
        });
  }

  /** Gateways to be deleted, before anything is put. */
  public List<String> removed() {
    return removed;
  }

  /** Gateways to be put, with their numbers. */
  public Map<String, Integer> added() {
    return added;
  }

  /** Says that all changes were written. */
  public void written() {
    added.clear();
    removed.clear();
  }

  void clear() {
    byId.clear();
    byNumber.clear();
    written();
  }
}
