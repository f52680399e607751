import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Submission } from '../spoolers/spooler.ts'
import { makeDataDir } from './start-agent.ts'

/** A submission to a spooler, with its document in a new file. */
export function makeSubmission(document: string | Buffer, printerOsName: string, changes: Partial<Submission> = {}) {
  const file = join(makeDataDir(), 'document')
  writeFileSync(file, document)
  const job = {
    token: randomUUID(),
    title: 'Label',
    printerOsName,
    file,
    contentType: 'raw_base64',
    qty: 1,
    options: {},
  }
  return { ...job, ...changes }
}
