/**
 * The PostgreSQL and the NATS that the suites run on: in containers of the official images when a Docker engine answers, else the
 * programs that `npm start` uses. The suites cannot tell them apart.
 */

export const SERVER_SOURCES = ['containers', 'embedded'] as const
export type ServerSource = (typeof SERVER_SOURCES)[number]

export interface TestPostgres {
  /** Of a database whose owner may do everything. */
  url: string
  stop(): Promise<void>
}

/** A nats-server that a test may do to what it likes. */
export interface TestNats {
  url: string
  /** `kill -9`; comes back when it is gone. */
  kill(): Promise<void>
  /** On the same port, with what its store holds. */
  start(): Promise<void>
  /** Its whole store is lost; only while it is killed. */
  wipe(): Promise<void>
}

export interface StoppableNats extends TestNats {
  stop(): Promise<void>
}

export interface TestServers {
  startPostgres(): Promise<TestPostgres>
  startNats(): Promise<StoppableNats>
  /** "container nats:2.12.0", say, for the line that tells what a run tested on. */
  origin: { postgres: string; nats: string }
}

/** Loads the one that is asked for: a test file without servers in containers should not wait for their library. */
export async function loadServers(source: ServerSource): Promise<TestServers> {
  return source === 'containers'
    ? (await import('./container-servers.ts')).containerServers
    : (await import('./embedded-servers.ts')).embeddedServers
}
