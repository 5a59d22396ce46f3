package io.weir.input.influx;

import io.weir.input.Client;

/**
 * Whence lines come.
 *
 * @param database empty for none
 * @param retentionPolicy empty for none
 */
record LineSource(Client client, String database, String retentionPolicy) {}
