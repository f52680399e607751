/**
 * Timeouts of connections to PostgreSQL, because neither end is notified when a machine or network fails. Used by the
 * pools and migrations of all services.
 */
import type { ClientConfig } from 'pg'

/**
 * For a new connection and for acquiring one from a pool. Less than the deadline of a call between services (5 s), so
 * that the caller can retry at another replica.
 */
const CONNECT_TIMEOUT_MS = 4_000

/** Limits how long a slow statement occupies a connection. */
const STATEMENT_TIMEOUT_MS = 10_000

/**
 * The client abandons a statement this much later than the server, because the server or the network then does not
 * respond.
 */
const CLIENT_GRACE_MS = 1_000

/**
 * The server drops a dead client and its locks after 25 s (10 + 3 × 5). Systems that do not support a parameter ignore
 * it.
 */
const DETECT_DEAD_CLIENTS = {
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25s',
}

/**
 * For connections whose statements all use index plans. A statement that was prepared while its tables were small or
 * not yet analyzed keeps a plan with sequential scans: a state change took three times as long after the first 4,000
 * jobs. Index plans do not depend on the parameters, so generic plans suffice. Custom plans (each read of the event
 * log, and five per statement and connection) take 7 % of PostgreSQL's CPU time.
 */
const INDEX_PLANS_ONLY = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }
const GENERIC_PLANS_ONLY = { plan_cache_mode: 'force_generic_plan' }

/** For connections without a statement timeout. Each end still detects that the other is dead. */
export function untimedConnection(applicationName: string, session: Record<string, string> = {}): ClientConfig {
  const settings = Object.entries({ ...DETECT_DEAD_CLIENTS, ...session })
  return {
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
  }
}

/** Statements fail after the timeout. The connection must then be closed, because the response may still arrive. */
function connectionSettings(
  applicationName: string,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS, session = {} as Record<string, string> } = {},
): ClientConfig {
  return {
    ...untimedConnection(applicationName, {
      idle_in_transaction_session_timeout: `${statementTimeoutMs}ms`,
      ...session,
    }),
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + CLIENT_GRACE_MS,
  }
}

/**
 * For hot statements, and for entities, whose statements are planned for each call, because MikroORM prepares nothing.
 */
export const hotConnectionSettings = (applicationName: string, statementTimeoutMs?: number) =>
  connectionSettings(applicationName, { statementTimeoutMs, session: { ...INDEX_PLANS_ONLY, ...GENERIC_PLANS_ONLY } })

/** For pages of lists, whose plans depend on the values of filters. */
export const listConnectionSettings = (applicationName: string, statementTimeoutMs: number) =>
  connectionSettings(applicationName, { statementTimeoutMs, session: INDEX_PLANS_ONLY })
