/** Finds the public addresses for the commands of operators. */
import { join } from 'node:path'
import { z } from 'zod'
import { readJson } from '../launcher/private-file.ts'
import { StartupError } from '../launcher/startup-error.ts'

const CREDENTIALS = z.object({ baseUrl: z.string(), agentUrl: z.string() })

/**
 * @param dataDirectory of an installation on this machine.
 * @throws StartupError that names the setting.
 */
export async function findApiUrl(env: NodeJS.ProcessEnv, dataDirectory: string | undefined): Promise<string> {
  if (env.PLATEN_API_URL) return env.PLATEN_API_URL
  if (!dataDirectory) throw new StartupError('Set PLATEN_API_URL to the URL of the REST API.')
  return (await readCredentials(dataDirectory)).baseUrl
}

/** It is `findApiUrl` for the URL to which agents connect. */
export async function findAgentsUrl(env: NodeJS.ProcessEnv, dataDirectory: string | undefined): Promise<string> {
  if (env.PLATEN_AGENT_PUBLIC_URL) return env.PLATEN_AGENT_PUBLIC_URL
  if (!dataDirectory) throw new StartupError('Set PLATEN_AGENT_PUBLIC_URL to the URL to which agents connect.')
  return (await readCredentials(dataDirectory)).agentUrl
}

const readCredentials = async (dataDirectory: string) =>
  CREDENTIALS.parse(await readJson(join(dataDirectory, 'credentials.json')))
