/** Records, late or dead, on their way to the readings again. */
package io.weir.redrive;
