package io.weir.window;

import io.weir.hot.Weighed;
import io.weir.reading.IdBytes;
import java.nio.charset.StandardCharsets;

/**
 * What belongs to a sensor beside its windows: its id, the gateway that made it, which deadlines it
 * waits for, and what of it has to be written. Not safe for several threads.
 */
public abstract class Sensor extends Weighed implements RingMember {
  private static final long NONE = Long.MAX_VALUE;
  private static final int UNCHANGED = -1;

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

  /** Its index among the sensors that changed since they were last written; -1 if it did not. */
  private int changeIndex = UNCHANGED;

  /** Which sensor it is in the records of changes; 0 before its first entry. */
  private int number;

  /** The record of changes that it was last written with; 0 for none. */
  private long lastRecord;

  /** How far that is behind the first one with changes that its own entry lacks; -1 for none. */
  private byte behindFirst = -1;

  /** No window whose durable form is behind, or part of this sensor's, starts before this. */
  private long unwrittenFromMs = NONE;

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

  /** The sensor's id in UTF-8; not to be changed. */
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

  /** Its index among the sensors that changed since they were last written; -1 if it did not. */
  final int changeIndex() {
    return changeIndex;
  }

  /** Says that it changed since it was last written. */
  final void changeIndex(int index) {
    changeIndex = index;
  }

  /** Whether something of it changed since it was last written. */
  public final boolean isChanged() {
    return changeIndex != UNCHANGED;
  }

  @Override
  public final int number() {
    return number;
  }

  @Override
  public final long lastRecord() {
    return lastRecord;
  }

  @Override
  public final long changesFrom() {
    return behindFirst < 0 ? 0 : lastRecord - behindFirst;
  }

  @Override
  public final void writtenWhole(int itsNumber, long record) {
    number = itsNumber;
    lastRecord = record;
    behindFirst = -1;
  }

  @Override
  public final void writtenChanges(long record) {
    long first = behindFirst < 0 ? record : changesFrom();
    behindFirst = (byte) Math.min(record - first, Byte.MAX_VALUE);
    lastRecord = record;
  }

  /** The window of that start changed, or is part of this sensor's durable form. */
  public final void unwritten(long startMs) {
    unwrittenFromMs = Math.min(unwrittenFromMs, startMs);
  }

  /** None of its windows that has to be written starts before this. */
  public final long unwrittenFromMs() {
    return unwrittenFromMs;
  }

  /**
   * Says that all of it was written.
   *
   * @param attachedFromMs the start of the first window that is part of its durable form;
   *     Long.MAX_VALUE where none is
   */
  public final void written(long attachedFromMs) {
    changeIndex = UNCHANGED;
    unwrittenFromMs = attachedFromMs;
  }
}
