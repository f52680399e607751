import { join } from 'node:path'
import { withServices } from '../with-services.ts'
import { readAgentJournal } from './agent-journal.ts'
import { readJob } from './job.ts'
import { render } from './render.ts'

/** `platen-server inspect job <id>`: shows one job in all services. Changes nothing. */
export async function inspectJob(id: string): Promise<string> {
  return await withServices(process.env, async (connect, { dataDirectory }) => {
    const found = await readJob(connect, id)
    // Only the virtual computers of an installation on this machine have their journals here.
    const journal = dataDirectory && join(dataDirectory, 'test-computers', found.job.computerId)
    return render(found, journal ? await readAgentJournal(journal, id) : undefined)
  })
}
