/** Faults by seed on real processes, and the oracle that says whether everything stayed exact. */
package io.weir.dev.chaos;
