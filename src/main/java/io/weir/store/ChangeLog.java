package io.weir.store;

/** Where changed entries go. */
@FunctionalInterface
interface ChangeLog {
  /** Puts an entry; a null value deletes it. */
  void put(byte[] key, byte[] value);
}
