/** The parsed options of a command. */
export interface Options {
  dataDir: string
  server?: string
  /** File with the token, or `-` for standard input. */
  tokenFile?: string
  name?: string
  caFile?: string
  /** Confirms that the agents' port has another host than `server`. */
  agentHost?: string
  insecure?: boolean
  spooler?: string
  output?: string
  json?: boolean
  /** The name of a printer whose key may have changed. */
  trust?: string
  /** The name of a printer. */
  printer?: string
  /** The agent may update itself. */
  autoUpdate?: boolean
  /** Owners and admins of the organization may add network printers. */
  allowNetworkPrinters?: boolean
  /** The update may be older than the agent. */
  allowDowngrade?: boolean
}

/** The command line is invalid. The message is for the user. */
export class UsageError extends Error {
  override name = 'UsageError'
}
