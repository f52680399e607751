import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openJournal } from '../journal/journal.ts'
import type { Phase } from '../journal/phases.ts'
import type { Submitted } from '../spoolers/spooler.ts'
import { makeDataDir, virtualSpooler } from './start-agent.ts'

export type SpoolerHas = 'nothing' | 'held' | 'released'

/** A data directory as a killed agent leaves it. */
export async function makeCrashed(
  id: string,
  phase: Phase,
  spoolerHas: SpoolerHas,
  spoolerIn = virtualSpooler,
): Promise<string> {
  const dataDir = makeDataDir()
  const document = Buffer.from(`%PDF-1.7 ${id}`)
  const facts = {
    id,
    attempt: 1,
    printerOsName: 'Test A4 Laser',
    title: 'Invoice',
    contentType: 'pdf_base64',
    qty: 1,
    options: {},
    fileSizeBytes: document.length,
    fileSha256: createHash('sha256').update(document).digest('hex'),
    traceparent: '',
  }
  const file = join(dataDir, 'documents', id)
  mkdirSync(join(dataDir, 'documents'))
  writeFileSync(file, document)

  const spooler = spoolerIn(dataDir)
  let submitted: Submitted = { spoolerJobId: 'lost', warnings: [] }
  if (spoolerHas !== 'nothing') submitted = await spooler.submitHeld({ ...facts, token: id, file })
  if (spoolerHas === 'released') await spooler.release(submitted.spoolerJobId)

  const journal = openJournal(join(dataDir, 'journal.sqlite'))
  journal.stage(facts, journal.nextSequence())
  const path = ['staged', 'granted', 'handing', 'held', 'releasing', 'released'] as const
  for (const [index, to] of path.slice(1, path.indexOf(phase as 'staged') + 1).entries())
    journal.move(id, path[index] ?? 'staged', to, to === 'held' ? submitted : undefined)
  journal.close()
  return dataDir
}
