/**
 * Who has sent a batch: keys, signatures over a record's value, and how they are checked. Uses
 * {@code deadletter} and {@code wire}; a gateway that embeds the publisher brings it along.
 */
package io.weir.signing;
