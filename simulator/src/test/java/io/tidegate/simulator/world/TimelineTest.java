package io.tidegate.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimelineTest {

  private final Timeline timeline = new Timeline();
  private final List<String> happened = new ArrayList<>();

  @Test
  void eventsRunInTheOrderOfTheirTimes() {
    timeline.at(30, () -> happened.add("third"));
    timeline.at(10, () -> happened.add("first"));
    timeline.at(20, () -> happened.add("second"));
    timeline.runUntil(100);
    assertThat(happened).containsExactly("first", "second", "third");
    assertThat(timeline.nowNanos()).isEqualTo(100);
  }

  @Test
  void eventsOfOneTimeRunInTheOrderOfScheduling() {
    for (int i = 0; i < 1_000; i++) {
      String number = String.valueOf(i);
      timeline.at(5, () -> happened.add(number));
    }
    timeline.runUntil(5);
    assertThat(happened).hasSize(1_000).isSortedAccordingTo(Comparator.comparing(Integer::valueOf));
  }

  @Test
  void nowIsTheTimeOfTheEvent() {
    List<Long> times = new ArrayList<>();
    timeline.at(7, () -> times.add(timeline.nowNanos()));
    timeline.at(9, () -> times.add(timeline.nowNanos()));
    timeline.runUntil(50);
    assertThat(times).containsExactly(7L, 9L);
  }

  @Test
  void eventsMayScheduleEvents() {
    timeline.at(10, () -> {
      happened.add("at 10");
      timeline.after(5, () -> happened.add("at 15"));
      timeline.after(0, () -> happened.add("at 10 too"));
    });
    timeline.at(12, () -> happened.add("at 12"));
    timeline.runUntil(15);
    assertThat(happened).containsExactly("at 10", "at 10 too", "at 12", "at 15");
  }

  @Test
  void eventsOfThePastRunNow() {
    timeline.runUntil(100);
    timeline.at(3, () -> happened.add("at " + timeline.nowNanos()));
    timeline.runUntil(100);
    assertThat(happened).containsExactly("at 100");
  }

  @Test
  void laterEventsWait() {
    timeline.at(100, () -> happened.add("at 100"));
    timeline.at(101, () -> happened.add("at 101"));
    timeline.runUntil(100);
    assertThat(happened).containsExactly("at 100");
    timeline.runUntil(200);
    assertThat(happened).containsExactly("at 100", "at 101");
  }

  /** Many events, often of the same time, scheduled while others run. */
  @Test
  void keepsTheOrderOfManyEvents() {
    record Planned(long nanos, long order) {}
    Random random = new Random(7);
    List<Planned> planned = new ArrayList<>();
    List<Planned> seen = new ArrayList<>();
    Runnable[] plan = new Runnable[1];
    plan[0] = () -> {
      Planned one = new Planned(timeline.nowNanos() + random.nextInt(500), timeline.scheduled());
      planned.add(one);
      timeline.at(one.nanos, () -> {
        seen.add(one);
        if (planned.size() < 100_000) {
          plan[0].run();
        }
      });
    };
    for (int i = 0; i < 20_000; i++) {
      plan[0].run();
    }
    timeline.runUntil(Long.MAX_VALUE);
    assertThat(seen)
        .hasSize(planned.size())
        .isSortedAccordingTo(
            Comparator.comparingLong(Planned::nanos).thenComparingLong(Planned::order));
  }
}
