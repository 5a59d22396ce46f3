/**
 * How columns, times, numbers and qualities of another program's file are to be read. Uses readings
 * alone.
 */
package io.weir.text.mapping;
