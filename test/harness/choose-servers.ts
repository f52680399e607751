/** Chooses the servers of a test run, once per run. `PLATEN_TEST_SERVERS` forces one source. */
import { getContainerRuntimeClient } from 'testcontainers'
import { SERVER_SOURCES, type ServerSource } from './servers.ts'

/** @returns the sources in the order of attempts. Default: containers if an engine answers. */
export async function chooseSources(requested = process.env.PLATEN_TEST_SERVERS): Promise<ServerSource[]> {
  const forced = SERVER_SOURCES.find((source) => source === requested)
  if (forced) return [forced]
  if (requested)
    throw new Error(`PLATEN_TEST_SERVERS must be unset or one of ${SERVER_SOURCES.join(', ')}, but is ${requested}.`)
  const engineAnswers = await getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
  return engineAnswers ? ['containers', 'embedded'] : ['embedded']
}
