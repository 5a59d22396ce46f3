/**
 * Which gateway may publish which sensors: the file that says so, how it is watched, and what it
 * means for a batch. Uses {@code reading} and {@code yaml}.
 */
package io.weir.permission;
