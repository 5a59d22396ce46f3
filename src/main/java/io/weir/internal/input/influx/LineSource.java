package io.weir.internal.input.influx;

import io.weir.internal.input.Client;

/**
 * Whence lines come.
 *
 * @param database empty for none
 * @param retentionPolicy empty for none
 */
record LineSource(Client client, String database, String retentionPolicy) {}
