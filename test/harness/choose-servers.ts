/** Which servers a run of the tests takes; called once for each run. `PLATEN_TEST_SERVERS` forces one source. */
import { getContainerRuntimeClient } from 'testcontainers'
import { SERVER_SOURCES, type ServerSource } from './servers.ts'

/** @returns in the order in which they are to be tried: without a wish, containers wherever there is an engine. */
export async function chooseSources(wish = process.env.PLATEN_TEST_SERVERS): Promise<ServerSource[]> {
  const forced = SERVER_SOURCES.find((source) => source === wish)
  if (forced) return [forced]
  if (wish)
    throw new Error(`PLATEN_TEST_SERVERS is ${wish}: choose one of ${SERVER_SOURCES.join(', ')}, or leave it unset.`)
  const engineAnswers = await getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
  return engineAnswers ? ['containers', 'embedded'] : ['embedded']
}
