/**
 * Groups of sensors: what the windows of their sensors come to, and when that is emitted. Plain
 * Java, which uses {@code window} alone.
 */
package io.weir.group;
