import { join } from 'node:path'
import { openJournal } from '@platen/agent/journal/journal.ts'
import { expect, test } from 'vitest'
import { readAgentJournal } from '../../commands/inspect/agent-journal.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

const ID = '019a0000-0000-7000-8000-000000000001'

test('a job is found in the journal of an agent that runs or has ended, and not without a journal', async () => {
  const directory = await temporaryDirectory()
  expect(await readAgentJournal(directory, ID)).toBeUndefined()

  const journal = openJournal(join(directory, 'journal.sqlite'))
  journal.stage(
    {
      id: ID,
      attempt: 2,
      printerOsName: 'laser',
      title: 'Invoice',
      contentType: 'pdf_base64',
      qty: 1,
      options: {},
      fileSizeBytes: 1,
      fileSha256: '',
      receivedAt: new Date(),
      expiresAtMs: 1_800_000_000_000,
      expiresAtUptimeMs: 3_600_000,
      bootId: 'boot',
    },
    1,
  )
  const staged = { attempt: 2, phase: 'staged', settled_at: null, unconfirmedReports: [] }
  expect(await readAgentJournal(directory, ID)).toMatchObject(staged)
  journal.close()
  expect(await readAgentJournal(directory, ID)).toMatchObject(staged)
})
