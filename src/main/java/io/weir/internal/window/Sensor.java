package io.weir.internal.window;

import io.weir.internal.window.durable.DurableSensor;
import io.weir.reading.IdBytes;
import java.nio.charset.StandardCharsets;

/**
 * The base of a sensor: its id, the gateway that created it, and its deadlines. Not thread-safe.
 */
public abstract class Sensor extends DurableSensor {
  private static final long NONE = Long.MAX_VALUE;

  private final byte[] id;
  private final int hash;

  /** The number, in {@link SensorOwners}, of the gateway that created it. */
  private int owner = SensorOwners.NOBODY;

  /** Whether it is watched for idleness in log time. */
  private boolean idleWatched;

  /** The append time at which its idle windows are checked; NONE for none. */
  private long endWatchMs = NONE;

  /** State that another part of the application attaches; null for none. */
  private SensorExtension extension;

  /**
   * @param id in UTF-8; not modified afterwards
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

  /** The number of the gateway that created it; {@link SensorOwners#NOBODY} if unknown. */
  public final int owner() {
    return owner;
  }

  /** Sets the gateway that created it. */
  public final void owner(int number) {
    owner = number;
  }

  /** State that another part of the application attaches; null for none. */
  public final SensorExtension extension() {
    return extension;
  }

  /** Attaches state; null for none. */
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

  /** The append time at which its idle windows are checked; Long.MAX_VALUE for never. */
  final long endWatchMs() {
    return endWatchMs;
  }
}
