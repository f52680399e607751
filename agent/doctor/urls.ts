import type { AgentConfig } from '../config.ts'

/** Where the agent connects, each place once. */
export function getUrls({ serverUrl, agentUrl }: AgentConfig): URL[] {
  const all = [...(serverUrl === undefined ? [] : [serverUrl]), agentUrl]
  return [...new Map(all.map((text) => [new URL(text).origin, new URL(text)])).values()]
}
