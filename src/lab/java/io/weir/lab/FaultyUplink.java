package io.weir.lab;

/** A way to the brokers on which more can go wrong. Used by the fleet's thread alone. */
interface FaultyUplink extends Uplink {
  /** Sends the last batch of a partition again, byte for byte, if there was one. */
  void resend(int partition);

  /** Sends a record that is no batch. */
  void poison(int partition, byte[] value);
}
