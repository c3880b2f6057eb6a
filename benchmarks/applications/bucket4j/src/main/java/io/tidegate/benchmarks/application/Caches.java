package io.tidegate.benchmarks.application;

import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

/** Enables the cache that the starter of bucket4j stores buckets in. */
@Configuration
@EnableCaching
class Caches {}
