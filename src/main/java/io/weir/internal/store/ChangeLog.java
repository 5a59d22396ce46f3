package io.weir.internal.store;

/** Where changed entries of a state go: the changelog topic of its store. */
@FunctionalInterface
public interface ChangeLog {
  /** Puts an entry; a null value deletes it. */
  void put(byte[] key, byte[] value);
}
