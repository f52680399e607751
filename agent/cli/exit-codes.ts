/** What the program ends with, for service managers and scripts; told in docs/agent.md. */
export const EXIT = {
  ok: 0,
  /** Something failed; another try may succeed. */
  failed: 1,
  /** The command line or `agent.json` is wrong: the same again fails again. */
  usage: 2,
  /** The service does not want this agent any more: coming back is of no use. */
  rejected: 3,
} as const
