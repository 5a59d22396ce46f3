package io.weir.internal.input;

import java.util.Arrays;

/**
 * Whence series come: equal keys of two sources may be two sensors.
 *
 * @param context bytes that belong to each of its series; shared, do not modify
 * @param hash of both
 */
public record SeriesSource(Client client, byte[] context, int hash) {
  private static final byte[] NONE = {};

  /** A source without a context. */
  public SeriesSource(Client client) {
    this(client, NONE);
  }

  public SeriesSource(Client client, byte[] context) {
    this(client, context, 31 * client.hashCode() + Arrays.hashCode(context));
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || other instanceof SeriesSource source
            && source.hash == hash
            && Arrays.equals(source.context, context)
            && source.client.equals(client);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
