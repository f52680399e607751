/**
 * What is on disk before the next step, so that a power failure loses no job and prints none twice. Kills of the
 * process: `kills.test.ts`.
 */
import { createHash } from 'node:crypto'
import { symlinkSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { writeConfig } from '../../config.ts'
import { openDocuments } from '../../documents.ts'
import { replaceFileDurably } from '../../replace-file.ts'
import { createFolderDevice } from '../../spoolers/folder/folder-device.ts'
import { type NetworkJob, openJobStore } from '../../spoolers/network/job-store.ts'
import { createSync } from '../../sqlite.ts'
import { recordSyncs } from '../record-syncs.ts'
import { makeDataDir } from '../start-agent.ts'
import { makeSubmission } from '../submission.ts'

const DOCUMENT = Buffer.from('%PDF-1.7')
const EXPECTED = { fileSizeBytes: DOCUMENT.length, fileSha256: createHash('sha256').update(DOCUMENT).digest('hex') }

/** Windows cannot sync what is open for reading. */
const posix = test.skipIf(process.platform === 'win32')

posix('a document is on disk before it has its name, and its name before it is complete', async () => {
  const dir = makeDataDir()
  const documents = openDocuments(dir)
  const syncs = await recordSyncs(dir)
  await documents.write('job', () => [DOCUMENT], EXPECTED)
  expect(syncs).toEqual([
    { name: 'job.part', files: ['job.part'] },
    { name: '.', files: ['job'] },
  ])
  expect(await documents.isComplete('job', EXPECTED)).toBe(true)
})

posix('a job is not durable while its record cannot be synced', async () => {
  const path = join(makeDataDir(), 'journal.sqlite')
  // A device, which nothing can be synced to.
  symlinkSync(devNull, `${path}-wal`)
  const sync = createSync(path)
  await expect(sync.durable()).rejects.toThrow('EINVAL')
  await expect(sync.durable()).rejects.toThrow('EINVAL')
  sync.close()
})

posix('the document of a job of a network printer is on disk before the job is', async () => {
  const dir = makeDataDir()
  const store = openJobStore(dir)
  const syncs = await recordSyncs(join(dir, 'documents'))
  const id = await store.add(makeSubmission(DOCUMENT, 'Label'))
  expect(syncs).toEqual([
    { name: id, files: [id] },
    { name: '.', files: [id] },
  ])
  store.close()
})

posix('a document is on disk under a hidden name before a folder shows it', async () => {
  const dir = makeDataDir()
  const { file } = makeSubmission(DOCUMENT, 'Archive')
  const device = createFolderDevice({ name: 'Archive', uri: pathToFileURL(dir).href })
  const job = { id: 'id', title: 'Invoice', contentType: 'pdf_base64', deviceJob: null } as NetworkJob
  const syncs = await recordSyncs(dir)
  let atBegin: typeof syncs = []
  const begin = async () => {
    atBegin = [...syncs]
  }
  await device.print(job, { file, begin, signal: new AbortController().signal } as never)
  expect(atBegin).toEqual([
    { name: '.platen-id', files: ['.platen-id'] },
    { name: '.', files: ['.platen-id'] },
  ])
  expect(syncs.at(-1)).toEqual({ name: '.', files: [expect.stringMatching(/Invoice\.pdf$/)] })
})

posix(
  'the settings of the agent are on disk before they have their name, and their name before the agent uses them',
  async () => {
    const dir = makeDataDir()
    const syncs = await recordSyncs(dir)
    writeConfig(dir, { agentUrl: 'http://127.0.0.1:1', credential: 'platen_agent_x', spooler: 'virtual' })
    expect(syncs).toEqual([
      { name: expect.not.stringMatching(/^agent\.json$/), files: [expect.any(String)] },
      { name: '.', files: ['agent.json'] },
    ])
    writeFileSync(join(dir, 'printers.json'), 'old')
    replaceFileDurably(join(dir, 'printers.json'), 'new')
    expect(syncs.slice(2)).toEqual([
      { name: 'printers.json.new', files: ['agent.json', 'printers.json', 'printers.json.new'] },
      { name: '.', files: ['agent.json', 'printers.json'] },
    ])
  },
)

test('documents may use exactly what the agent may store; a job counts once, and no more after its removal', async () => {
  const dir = makeDataDir()
  writeFileSync(join(dir, 'before'), Buffer.alloc(200))
  const documents = openDocuments(dir, 1_000)
  expect(await documents.claim('first', 801)).toBe('limit reached')
  expect(await documents.claim('first', 800)).toBe('claimed')
  expect(await documents.claim('first', 800)).toBe('claimed')
  expect(await documents.claim('second', 1)).toBe('limit reached')
  await documents.remove('first')
  expect(await documents.claim('second', 800)).toBe('claimed')
  await documents.keepOnly((id) => id === 'second')
  expect(await documents.claim('third', 200)).toBe('claimed')
  expect(await documents.claim('fourth', 1)).toBe('limit reached')
})
