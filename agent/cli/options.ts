/** The parsed options of a command. */
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

/** The command line is invalid. The message is for the user. */
export class UsageError extends Error {
  override name = 'UsageError'
}
