package io.tidegate.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureReasonTest {

  /** Messages of Redis, MariaDB, Lettuce, HikariCP, the driver and the JDK. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      not connected to redis://10.0.0.1:6379: finishConnect(..) failed with error(-111): Connection refused: /10.0.0.1:6379 | connection refused
      WRONGPASS invalid username-password pair or user is disabled.                                  | authentication failed
      NOAUTH Authentication required.                                                                | authentication failed
      (conn=12) Access denied for user 'tidegate'@'10.0.0.2' (using password: YES)                   | authentication failed
      NOPERM this user has no permissions to run the 'zadd' command                                  | permission denied
      (conn=3) INSERT command denied to user 'reader'@'%' for table 'ratelimit_window_counts'        | permission denied
      OOM command not allowed when used memory > 'maxmemory'.                                        | out of memory
      READONLY You can't write against a read only replica.                                          | read-only
      The MariaDB server is running with the --read-only option so it cannot execute this statement  | read-only
      LOADING Redis is loading the dataset in memory                                                 | loading its data
      CLUSTERDOWN The cluster is down                                                                | cluster down
      WRONGTYPE Operation against a key holding the wrong kind of value                              | key of another type
      Too many connections                                                                           | too many connections
      Unknown database 'tidegate'                                                                    | database or table missing
      Table 'tidegate.ratelimit_window_counts' doesn't exist                                         | database or table missing
      Deadlock found when trying to get lock; try restarting transaction                             | lock conflict
      HikariPool-1 - Connection is not available, request timed out after 5000ms                     | timeout
      Connection reset by peer                                                                       | connection lost
      MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist       | error MISCONF
      secret=hunter2 is wrong                                                                        | call failed (IOException)
      """)
  void messageIsRecognized(String message, String reason) {
    assertThat(FailureReason.of(new IOException(message))).isEqualTo(reason);
  }

  @Test
  void exceptionClassIsRecognized() {
    assertThat(FailureReason.of(new TimeoutException())).isEqualTo("timeout");
    assertThat(FailureReason.of(new SocketTimeoutException("Read timed out"))).isEqualTo("timeout");
    assertThat(FailureReason.of(new UnknownHostException("db.internal"))).isEqualTo("unknown host");
    assertThat(FailureReason.of(new SSLHandshakeException("no"))).isEqualTo("TLS failed");
    assertThat(FailureReason.of(new ClosedChannelException())).isEqualTo("connection lost");
    assertThat(FailureReason.of(new SQLException("odd", "HY000", 1234)))
        .isEqualTo("database error 1234");
  }

  @Test
  void innermostCauseDecides() {
    Throwable pool = new SQLTransientConnectionException(
        "HikariPool-1 - Connection is not available, request timed out after 5000ms",
        new SQLException("Socket fail to connect", new ConnectException("Connection refused")));

    assertThat(FailureReason.of(new CompletionException(pool))).isEqualTo("connection refused");
  }

  @Test
  void circularCausesEnd() {
    Exception one = new Exception("one");
    one.initCause(new Exception("two", one));

    assertThat(FailureReason.of(one)).startsWith("call failed (");
  }
}
