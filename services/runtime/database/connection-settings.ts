/**
 * How connections to PostgreSQL notice that the other side is gone, which neither end is told when a machine or a network vanishes. For
 * all that a service opens: its pools and its migrations.
 */
import type { ClientConfig } from 'pg'

/**
 * To be connected, or to get a connection of a pool: less than the deadline of a call between services (5 s), so that its caller hears of
 * it in time to ask another replica.
 */
const CONNECT_WITHIN_MS = 4_000

/** No statement of ours takes long; one that does must not hold a connection for ever. */
const STATEMENT_TIMEOUT_MS = 10_000

/** How much later than the server the client gives a statement up: then the server, or the way to it, is gone. */
const ANSWER_LATER_MAX_MS = 1_000

/**
 * What the server does about a client that vanished: after 25 s (10 + 3 × 5) it is gone, with its locks. On systems that do not know
 * one of them it has no effect.
 */
const NOTICE_DEAD_CLIENTS = {
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25s',
}

/**
 * For connections whose every statement finds its rows by an index. A prepared statement keeps the plan that it got while its tables
 * were small, or had never been counted by autovacuum, and would go on to read them as a whole at each call: a change of a job's state
 * took three times as long after the first 4,000 jobs. With these plans the parameters make no difference, so none is planned for them:
 * planning the read of the event log anew each time, and every statement five times per connection, cost 7 % of PostgreSQL's work.
 */
export const BY_INDEX = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/** For a connection whose statements take as long as they take; each end still notices that the other is gone. */
export function patientConnection(applicationName: string, session: Record<string, string> = {}): ClientConfig {
  const settings = Object.entries({ ...NOTICE_DEAD_CLIENTS, ...session })
  return {
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
  }
}

/** A statement that has no answer in time fails. The connection must not be used again after that: the answer may still come. */
export function connectionSettings(
  applicationName: string,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS, session = {} as Record<string, string> } = {},
): ClientConfig {
  return {
    ...patientConnection(applicationName, {
      idle_in_transaction_session_timeout: `${statementTimeoutMs}ms`,
      ...session,
    }),
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_LATER_MAX_MS,
  }
}

/** For the hot statements. */
export const hotConnectionSettings = (applicationName: string, statementTimeoutMs?: number) =>
  connectionSettings(applicationName, { statementTimeoutMs, session: BY_INDEX })
