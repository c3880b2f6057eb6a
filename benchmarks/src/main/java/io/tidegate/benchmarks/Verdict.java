package io.tidegate.benchmarks;

/** One target, whether it was met, and the figure that says so. */
record Verdict(String target, boolean met, String figure) {}
