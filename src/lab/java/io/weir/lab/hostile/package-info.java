/**
 * The table of what a hostile writer may send: each part of a record and of an outbox row at its
 * limits, alone and in pairs. Uses {@code topic}, for the partition of an id, and nothing else.
 */
package io.weir.lab.hostile;
