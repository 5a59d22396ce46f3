/**
 * How columns, times, numbers and qualities of somebody else's file are to be read. Uses readings
 * alone.
 */
package io.weir.text.mapping;
