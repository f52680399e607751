/** The processes that inspect PDFs. Linux only, because they are found in /proc. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { buildPdf, toStream, writePdf } from '../../../test/cups/build-pdf.ts'
import { ODD_PDFS } from '../../../test/cups/odd-pdfs.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { inspectPdfs } from '../../spoolers/inspect-pdfs.ts'
import { inspectPdf } from '../../spoolers/pdf/inspections.ts'
import type { Spooler, Submission } from '../../spoolers/spooler.ts'
import { createVirtualSpooler } from '../../spoolers/virtual/virtual-spooler.ts'
import { makeDataDir } from '../start-agent.ts'
import { makeSubmission } from '../submission.ts'

function write(document: Buffer): string {
  const file = join(makeDataDir(), 'document')
  writeFileSync(file, document)
  return file
}

/** The process ids of the processes that inspect PDFs for this one. */
function listProcesses(): string[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('inspect-pdfs'))
}

/** Its content has this size. */
function createBomb(megabytes: number): Buffer {
  const content = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, ' ')).toString('latin1')
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>',
    toStream(content, '/Filter /FlateDecode '),
  ])
}

/** Keeps what it gets. */
function createSpooler() {
  const submissions: (Submission & { bytes: Buffer })[] = []
  const spooler: Spooler = {
    ...createVirtualSpooler({ dir: makeDataDir() }),
    async submitHeld(submission) {
      submissions.push({ ...submission, bytes: readFileSync(submission.file) })
      return { spoolerJobId: '1', warnings: [] }
    },
  }
  return { submissions, spooler: inspectPdfs(spooler) }
}

const submit = (spooler: Spooler, document: Buffer, contentType = 'pdf_uri', options = {}) =>
  spooler.submitHeld(makeSubmission(document, 'Laser', { contentType, options }))

describe.skipIf(process.platform !== 'linux')('an inspection', () => {
  test('gets its process from the one before; raw documents need none', async () => {
    const { spooler } = createSpooler()
    const before = listProcesses()
    await submit(spooler, Buffer.from('^XA^XZ'), 'raw_uri')
    expect(listProcesses()).toEqual(before)
    await submit(spooler, buildPdf())
    const processes = listProcesses()
    expect(processes).not.toEqual([])
    await submit(spooler, buildPdf())
    expect(listProcesses()).toEqual(processes)
  })

  test('replaces only a document with odd boxes, and leaves no copy', async () => {
    const { submissions, spooler } = createSpooler()
    const [usual, odd] = [buildPdf({ pages: 2 }), ODD_PDFS['a reversed media box'] as Buffer]
    await submit(spooler, usual)
    await submit(spooler, odd)
    await expect(submit(spooler, ODD_PDFS['no pages'] as Buffer)).rejects.toThrow('it has no pages')
    expect(submissions).toMatchObject([{ bytes: usual, pdf: { pages: 2 } }, { pdf: { pages: 1 } }])
    expect(submissions[1]?.bytes.equals(odd)).toBe(false)
    for (const { file } of submissions) expect(existsSync(`${file.replace('.repaired', '')}.repaired`)).toBe(false)
  })

  test.each([
    ['WebAssembly', 300],
    ['a process', 100],
  ])(
    'of a document that exceeds the memory of %s ends without a result, and the spooler gets the document unchanged',
    async (_limit, megabytes) => {
      const { submissions, spooler } = createSpooler()
      const bomb = createBomb(megabytes)
      const { warnings } = await submit(spooler, bomb, 'pdf_uri', { crop: 'auto', copies: 2 })
      expect(warnings).toEqual([
        'The computer ignored the option crop `auto`: the document needs too much memory or time.',
      ])
      expect(submissions[0]?.options).toEqual({ copies: 2 })
      expect(submissions[0]).not.toHaveProperty('pdf')
      expect(submissions[0]?.bytes.equals(bomb)).toBe(true)
      expect(await inspectPdf(write(buildPdf()))).toMatchObject({ info: { pages: 1 } })
    },
  )

  test('whose process dies ends without a result, and the next one gets a new process', async () => {
    await inspectPdf(write(buildPdf()))
    const processes = listProcesses()
    for (const pid of processes) process.kill(Number(pid), 'SIGSTOP')
    const dying = inspectPdf(write(buildPdf()))
    for (const pid of processes) process.kill(Number(pid), 'SIGKILL')
    expect(await dying).toBeUndefined()
    // Node learns of the end of another idle process later than /proc.
    await waitFor(async () => expect(await inspectPdf(write(buildPdf()))).toMatchObject({ info: { pages: 1 } }))
    expect(listProcesses().filter((pid) => processes.includes(pid))).toEqual([])
  })
})
