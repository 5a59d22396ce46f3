package io.weir.window;

import io.weir.reading.IdBytes;
import io.weir.window.durable.DurableSensor;
import java.nio.charset.StandardCharsets;

/**
 * What belongs to a sensor beside its windows: its id, the gateway that made it, and which
 * deadlines it waits for. Not safe for several threads.
 */
public abstract class Sensor extends DurableSensor {
  private static final long NONE = Long.MAX_VALUE;

  private final byte[] id;
  private final int hash;

  /** The number of the gateway that made it, among {@link SensorOwners}. */
  private int owner = SensorOwners.NOBODY;

  /** Whether it is watched for idleness in log time. */
  private boolean idleWatched;

  /** The append time from which on its idle windows are looked at; NONE where none wait for it. */
  private long endWatchMs = NONE;

  /** What another part of the application keeps with it; null for nothing. */
  private SensorExtension extension;

  /**
   * @param id in UTF-8; not to be changed afterwards
   * @param hash {@link IdBytes#hash} of it
   */
  Sensor(byte[] id, int hash) {
    this.id = id;
    this.hash = hash;
  }

  final boolean isOf(byte[] bytes, int offset, int length) {
    return id.length == length && IdBytes.equal(id, 0, bytes, offset, length);
  }

  @Override
  public final byte[] id() {
    return id;
  }

  /** {@link IdBytes#hash} of its id. */
  public final int hash() {
    return hash;
  }

  @Override
  public final String name() {
    return new String(id, StandardCharsets.UTF_8);
  }

  /** The number of the gateway that made it; {@link SensorOwners#NOBODY} where that is unknown. */
  public final int owner() {
    return owner;
  }

  /** Says who made it. */
  public final void owner(int number) {
    owner = number;
  }

  /** What another part of the application keeps with it; null for nothing. */
  public final SensorExtension extension() {
    return extension;
  }

  /** Keeps something with it; null for nothing. */
  public final void extension(SensorExtension kept) {
    extension = kept;
  }

  final void idleWatched(boolean watched) {
    idleWatched = watched;
  }

  /** Whether it is watched for idleness in log time. */
  final boolean idleWatched() {
    return idleWatched;
  }

  final void endWatchMs(long appendMs) {
    endWatchMs = appendMs;
  }

  /** The append time at which its idle windows are looked at; Long.MAX_VALUE for never. */
  final long endWatchMs() {
    return endWatchMs;
  }
}
