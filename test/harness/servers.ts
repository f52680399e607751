/**
 * PostgreSQL and NATS for the suites: containers of the official images if a Docker engine answers, otherwise the
 * programs that `npm start` uses. Suites are independent of the source.
 */

export const SERVER_SOURCES = ['containers', 'embedded'] as const
export type ServerSource = (typeof SERVER_SOURCES)[number]

export interface TestPostgres {
  /** URL of a database as superuser. */
  url: string
  stop(): Promise<void>
}

/** A nats-server for tests that kill it. */
export interface TestNats {
  /** The URL of a user who may do everything. */
  url: string
  /** The URL of the users of the services, with `*` for the name of the service. */
  servicesUrl: string
  /** `kill -9`. Returns after the exit. */
  kill(): Promise<void>
  /** On the same port with its store. */
  start(): Promise<void>
  /** Deletes the store. Only while the server is stopped. */
  wipe(): Promise<void>
}

export interface StoppableNats extends TestNats {
  stop(): Promise<void>
}

export interface TestServers {
  startPostgres(): Promise<TestPostgres>
  startNats(): Promise<StoppableNats>
  /** For the output of a run, for example "container nats:2.12.0". */
  origin: { postgres: string; nats: string }
}

/** Imports only the selected source, because the container library loads slowly. */
export async function loadServers(source: ServerSource): Promise<TestServers> {
  return source === 'containers'
    ? (await import('./container-servers.ts')).containerServers
    : (await import('./embedded-servers.ts')).embeddedServers
}
