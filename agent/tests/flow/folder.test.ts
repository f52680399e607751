/** Printers that store documents in a directory: docs/network-printers.md#folders. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { proves } from '@platen/test/harness/rules.ts'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { ODD_PDFS } from '../../../test/cups/odd-pdfs.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { Backoff } from '../../backoff.ts'
import { toFileName } from '../../spoolers/folder/file-name.ts'
import { createFolderDevice } from '../../spoolers/folder/folder-device.ts'
import type { NetworkJob } from '../../spoolers/network/job-store.ts'
import { createNetworkSpooler } from '../../spoolers/network/network-spooler.ts'
import { openSpooler } from '../../spoolers/open-spooler.ts'
import type { SpoolerState, Submission } from '../../spoolers/spooler.ts'
import { makeDataDir } from '../start-agent.ts'
import { makeSubmission } from '../submission.ts'

const CONFIG = { agentUrl: 'http://127.0.0.1:1', credential: 'platen_agent_x', spooler: 'virtual' } as const

function openFolder(fileName: string, backoff?: Backoff) {
  const folder = makeDataDir()
  const printers = [{ name: 'Archive', uri: pathToFileURL(folder).href, fileName }]
  const log = pino({ level: 'silent' })
  const spooler = backoff
    ? createNetworkSpooler({ dir: makeDataDir(), printers, log, backoff })
    : openSpooler({ ...CONFIG, printers }, makeDataDir(), log).spooler
  spooler.start?.()
  onTestFinished(() => void spooler.close?.())
  return {
    folder,
    spooler,
    files: () => readdirSync(folder).toSorted(),
    async print(document: string | Buffer, changes?: Partial<Submission>) {
      const submitted = await spooler.submitHeld(makeSubmission(document, 'Archive', changes))
      await spooler.release(submitted.spoolerJobId)
      return submitted
    },
    waitForState: (id: string, state: Partial<SpoolerState>) =>
      waitFor(async () => expect(await spooler.state(id)).toMatchObject(state)),
  }
}

const PDF = 'pdf_base64'
const job = (changes: Partial<NetworkJob> = {}) =>
  ({
    id: 'id',
    token: 'token',
    printer: 'Archive',
    title: 'Invoice',
    contentType: PDF,
    deviceJob: null,
    ...changes,
  }) as NetworkJob

test('a printer reports the formats that it takes, without raw data where the owner of the computer forbids them', async () => {
  proves('printer.formats')
  const log = pino({ level: 'silent' })
  const uris = { Archive: pathToFileURL(makeDataDir()).href, Zebra: 'socket://127.0.0.1:1' }
  const printers = Object.entries(uris).map(([name, uri]) => ({ name, uri }))
  const list = async (raw?: boolean | string[]) => {
    const { spooler } = openSpooler({ ...CONFIG, printers, raw }, makeDataDir(), log)
    onTestFinished(() => void spooler.close?.())
    const found = await spooler.printers()
    return Object.fromEntries(found.map(({ osName, capabilities }) => [osName, capabilities?.formats?.names]))
  }
  const all = {
    'Test A4 Laser': ['pdf', 'raw'],
    'Test Letter Color': ['pdf', 'raw'],
    'Test Receipt 80mm': ['pdf', 'raw'],
    'Test Label 4x6': ['pdf', 'raw'],
    Archive: ['pdf', 'raw'],
    Zebra: ['raw'],
  }
  expect(await list()).toEqual(all)
  const pdf = ['pdf']
  const none = { 'Test A4 Laser': pdf, 'Test Letter Color': pdf, 'Test Receipt 80mm': pdf, 'Test Label 4x6': pdf }
  expect(await list(false)).toEqual({ ...none, Archive: pdf, Zebra: [] })
  expect(await list(['Zebra'])).toEqual({ ...none, Archive: pdf, Zebra: ['raw'] })
})

test('documents are stored byte for byte, those of one title beside each other, and files that exist stay', async () => {
  proves('folder.bytes', 'folder.never-overwrites')
  const { folder, files, print, waitForState } = openFolder('{title}')
  writeFileSync(join(folder, 'Invoice.pdf'), 'of the owner')
  // A link to nowhere is a used name.
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'Invoice (2).pdf'))
  const odd = Object.values(ODD_PDFS).slice(0, 3)
  for (const [n, document] of odd.entries()) {
    const { spoolerJobId } = await print(document, { title: 'Invoice', contentType: PDF })
    await waitForState(spoolerJobId, { is: 'completed' })
    expect(readFileSync(join(folder, `Invoice (${n + 3}).pdf`)).equals(document)).toBe(true)
  }
  const label = await print('^XA\0\xff', { title: 'Invoice', contentType: 'raw_uri' })
  await waitForState(label.spoolerJobId, { is: 'completed' })
  expect(readFileSync(join(folder, 'Invoice.raw'), 'utf8')).toBe('^XA\0\xff')
  expect(readFileSync(join(folder, 'Invoice.pdf'), 'utf8')).toBe('of the owner')
  expect(files()).toHaveLength(odd.length + 3)
  expect(statSync(join(folder, 'Invoice.raw')).mode & 0o777).toBe(statSync(folder).mode & 0o666)
})

test('options and the number of prints are ignored with a warning', async () => {
  proves('folder.options')
  const { files, print, waitForState } = openFolder('{title}')
  const { spoolerJobId, warnings } = await print('%PDF-1.7', { contentType: PDF, qty: 2, options: { rotate: 90 } })
  expect(warnings).toEqual([expect.stringContaining('rotate 90'), expect.stringContaining('qty 2')])
  await waitForState(spoolerJobId, { is: 'completed' })
  expect(files()).toEqual(['Label.pdf'])
})

test('a folder that is not there is offline, and its jobs wait for it', async () => {
  proves('folder.missing')
  const { folder, spooler, files, print, waitForState } = openFolder('{title}', { baseMs: 5, maxMs: 10 })
  const printer = async () => (await spooler.printers()).find(({ osName }) => osName === 'Archive')
  expect(await printer()).toMatchObject({ state: 'online' })
  rmSync(folder, { recursive: true })
  expect(await printer()).toMatchObject({ state: 'offline', stateDetail: expect.stringContaining('does not exist') })
  const { spoolerJobId } = await print('label')
  await waitForState(spoolerJobId, { is: 'pending', message: expect.stringMatching(/^(?!.*platen-agent).*ENOENT/) })
  mkdirSync(folder)
  await waitForState(spoolerJobId, { is: 'completed' })
  expect(files()).toEqual(['Label.raw'])
})

test('a job that was killed while its file was renamed has one file afterwards', async () => {
  proves('folder.once')
  const folder = makeDataDir()
  const device = createFolderDevice({ name: 'Archive', uri: pathToFileURL(folder).href, fileName: '{title}' })
  const hidden = join(folder, '.platen-id')
  const resume = (deviceJob: string | null) =>
    device.resume?.(job({ deviceJob }), { begin: async () => undefined, signal: new AbortController().signal } as never)
  writeFileSync(hidden, 'document')
  // The name was reserved, but the file not renamed.
  writeFileSync(join(folder, 'Invoice.pdf'), '')
  expect(await resume('Invoice.pdf')).toMatchObject({ is: 'completed' })
  expect([readdirSync(folder), readFileSync(join(folder, 'Invoice.pdf'), 'utf8')]).toEqual([
    ['Invoice.pdf'],
    'document',
  ])
  // The file was renamed, but that was not recorded.
  expect(await resume('Invoice.pdf')).toMatchObject({ is: 'completed' })
  expect(readdirSync(folder)).toEqual(['Invoice.pdf'])
  // A reader has taken the file, or the directory is not mounted.
  rmSync(join(folder, 'Invoice.pdf'))
  expect([await resume('Invoice.pdf'), await resume(null)]).toEqual([undefined, undefined])
  expect(readdirSync(folder)).toEqual([])
  // Another program took the name.
  writeFileSync(hidden, 'document')
  writeFileSync(join(folder, 'Invoice.pdf'), 'other')
  expect(await resume('Invoice.pdf')).toMatchObject({ is: 'completed' })
  expect(readdirSync(folder).toSorted()).toEqual(['Invoice (2).pdf', 'Invoice.pdf'])
  expect(readFileSync(join(folder, 'Invoice.pdf'), 'utf8')).toBe('other')
})

const AT = new Date(2026, 2, 2, 9, 30, 5)

test.each([
  ['{date} {time} {title} {job} {printer}', 'Invoice', '2026-03-02 09-30-05 Invoice token Archive'],
  ['{title}', '../../etc/passwd', '-..-etc-passwd'],
  ['../{title}', 'a', '-a'],
  ['{title}', 'C:\\Windows\\x', 'C--Windows-x'],
  ['{title}', '.bashrc', 'bashrc'],
  ['{title}', '... ', 'token'],
  ['{title}', 'CON', '_CON'],
  ['{title}', 'a\0b\u202e\n', 'a-b--'],
  ['{title}', '{job}', '{job}'],
  ['{title}', 'é'.repeat(200), 'é'.repeat(100)],
])('the template %s of the title %j is the file %s', (template, title, expected) => {
  proves('folder.name')
  expect(toFileName(template, job({ title }), AT)).toBe(expected)
})
