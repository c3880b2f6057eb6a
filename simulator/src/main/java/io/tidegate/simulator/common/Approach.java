package io.tidegate.simulator.common;

/** A way to enforce a limit that several regions use. */
public interface Approach {

  /** The name in reports. */
  String label();
}
