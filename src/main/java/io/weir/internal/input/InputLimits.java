package io.weir.internal.input;

import java.time.Duration;

/**
 * Limits of requests.
 *
 * @param maxBodyBytes largest body as received
 * @param maxDecodedBytes largest body after decompression
 * @param maxRequests requests at the same time
 * @param maxInflightBytes memory of all bodies
 * @param maxConnections connections at the same time
 * @param idleTimeout after which a silent connection is closed
 * @param ackTimeout longest time until a request's readings are on disk
 */
public record InputLimits(
    int maxBodyBytes,
    int maxDecodedBytes,
    int maxRequests,
    long maxInflightBytes,
    int maxConnections,
    Duration idleTimeout,
    Duration ackTimeout) {
  private static final int SHARE_OF_THE_HEAP = 4;
  private static final int BODIES = 8;
  private static final int DECODED_BODIES = 4;

  /** The same, lowered so that bodies take a quarter of a heap, and each fits into that alone. */
  public InputLimits within(long heapBytes) {
    long inflight = Math.min(maxInflightBytes, heapBytes / SHARE_OF_THE_HEAP);
    return new InputLimits(
        (int) Math.min(maxBodyBytes, inflight / BODIES),
        (int) Math.min(maxDecodedBytes, inflight / DECODED_BODIES),
        maxRequests,
        inflight,
        maxConnections,
        idleTimeout,
        ackTimeout);
  }
}
