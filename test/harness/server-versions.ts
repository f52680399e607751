/** Versions reported by the servers, because tags and packages can differ from them. */
import { connect } from 'node:net'
import { Client } from 'pg'

/** Timeout, because a proxy of published ports can accept a connection before its container does. */
const GREETING_LIMIT_MS = 1_000

/** @returns "18.4" */
export async function askPostgresVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version').finally(() => client.end())
  return rows[0]?.server_version ?? 'unknown'
}

/** nats-server sends INFO first. @returns "2.12.0" */
export async function askNatsVersion(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const signal = AbortSignal.timeout(GREETING_LIMIT_MS)
  for await (const greeting of connect({ port: Number(port), host: hostname, signal })) {
    const { version } = JSON.parse(String(greeting).slice('INFO '.length)) as { version: string }
    return version
  }
  throw new Error(`nats-server at ${hostname}:${port} closed the connection without a greeting.`)
}
