/**
 * Readings, the rules that accept or refuse them, and the reasons for refusal. Uses plain Java
 * only.
 */
package io.weir.reading;
