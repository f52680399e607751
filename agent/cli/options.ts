/** What commands are given. */
export interface Options {
  dataDir: string
  server?: string
  token?: string
  name?: string
  caFile?: string
  spooler?: string
  output?: string
  json?: boolean
}

/** What the person wrote is wrong; the message says what. */
export class UsageError extends Error {
  override name = 'UsageError'
}
