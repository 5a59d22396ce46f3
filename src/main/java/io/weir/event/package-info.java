/**
 * Events of keys: what is accepted of them, when scheduled ones are due, what many of them come to.
 * Plain Java, which uses {@code reading} alone.
 */
package io.weir.event;
