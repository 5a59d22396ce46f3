package io.weir.internal.input;

import java.time.Duration;

/**
 * Limits of requests.
 *
 * @param maxBodyBytes largest body as received
 * @param maxDecodedBytes largest body after decompression
 * @param maxRequests requests at the same time
 * @param maxInflightBytes bytes of their bodies
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
    Duration ackTimeout) {}
