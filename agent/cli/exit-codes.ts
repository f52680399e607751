/** Exit codes for service managers and scripts. Reference: docs/agent.md. */
export const EXIT = {
  ok: 0,
  /** A failure. A retry may succeed. */
  failed: 1,
  /** The command line or `agent.json` is invalid. A retry fails again. */
  usage: 2,
  /**
   * The service has ended this agent: its computer was deleted, or another agent has its credential. A restart does not
   * help.
   */
  rejected: 3,
  /** The agent must be started again, to run an update. */
  restart: 4,
} as const
