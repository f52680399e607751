import type { AgentConfig } from '../config.ts'

/** The different URLs to which the agent connects. */
export function getUrls({ serverUrl, agentUrl }: AgentConfig): URL[] {
  const all = [...(serverUrl === undefined ? [] : [serverUrl]), agentUrl]
  return [...new Map(all.map((text) => [new URL(text).origin, new URL(text)])).values()]
}
