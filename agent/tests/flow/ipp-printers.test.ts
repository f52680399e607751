/**
 * IPP printers of the configuration that refuse requests or jobs. `tests/cups/ipp-printers.test.ts` prints on real
 * ones.
 */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import type { IppJobState } from '@platen/ipp/enums.ts'
import { OPERATIONS } from '@platen/ipp/operations.ts'
import { integer, keyword } from '@platen/ipp/typed.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { createNetworkSpooler } from '../../spoolers/network/network-spooler.ts'
import type { SpoolerState } from '../../spoolers/spooler.ts'
import { listen } from '../connect-proxy.ts'
import { startIppPrinter } from '../scripted-ipp-printer.ts'
import { CREDENTIAL } from '../scripted-service.ts'
import { makeDataDir } from '../start-agent.ts'
import { runCommand } from '../start-program.ts'
import { makeSubmission } from '../submission.ts'
import { getTestAuthority } from '../tls-front.ts'

async function open({ uri, dir = makeDataDir() }: { uri?: (printer: string) => Promise<string>; dir?: string } = {}) {
  const printer = await startIppPrinter()
  let printed = 0
  const spooler = createNetworkSpooler({
    dir,
    printers: [{ name: 'Office', uri: (await uri?.(printer.uri)) ?? printer.uri }],
    log: pino({ level: 'silent' }),
    backoff: { baseMs: 10, maxMs: 40 },
  })
  onTestFinished(async () => {
    printer.job = 'completed'
    printer.refuse = undefined
    await spooler.close?.()
  })
  const token = randomUUID()
  return {
    printer,
    spooler,
    /** The token of the first job. */
    token,
    async print({ document = buildPdf(), qty = 1 } = {}): Promise<string> {
      const ids = printed++ === 0 ? { token } : {}
      const job = makeSubmission(document, 'Office', { contentType: 'pdf_base64', qty, ...ids })
      const { spoolerJobId } = await spooler.submitHeld(job)
      await spooler.release(spoolerJobId)
      return spoolerJobId
    },
    waitForState: (id: string, state: Partial<SpoolerState>) =>
      waitFor(async () => expect(await spooler.state(id)).toMatchObject(state)),
  }
}

const LARGE_BYTES = 12 * 1024 * 1024
/** HP asked for it in the certification of its printers. */
const FOUR_MINUTES_MS = 240_000
const html = { 'content-type': 'text/html' }

test.each<[string, (response: ServerResponse) => unknown, string]>([
  [
    'refuses every request',
    (response) => response.writeHead(400).end(),
    'answers, but not as a printer (HTTP status 400)',
  ],
  ['is a web server', (response) => response.writeHead(200, html).end(), 'answers, but not as a printer'],
  [
    'requires a password',
    (response) => response.writeHead(401).end(),
    'requires a password, which the agent does not have (HTTP status 401)',
  ],
])('a printer that %s is offline with this cause, and its jobs wait with it', async (_, answer, cause) => {
  const { printer, spooler, print, waitForState } = await open()
  printer.refuse = (_operation, response) => answer(response)
  const message = `The printer does not report its state: it ${cause}.`
  await waitFor(async () =>
    expect(await spooler.printers()).toMatchObject([{ state: 'offline', stateDetail: message }]),
  )
  await waitForState(await print(), { is: 'pending', message })
})

test.each<[IppJobState, string]>([
  ['pending', 'The job waits in the queue of the printer.'],
  ['pending-held', 'The job is held at the printer.'],
  ['processing-stopped', 'The printer has stopped the job.'],
])('a job that is %s at the printer shows it', async (state, message) => {
  const { printer, print, waitForState } = await open()
  printer.job = state
  await waitForState(await print(), { is: 'processing', message })
})

test('a job waits for a printer that is busy, and is neither refused nor unconfirmed', async () => {
  const { printer, print, waitForState, token } = await open()
  const busy = (_: number, response: ServerResponse) => response.writeHead(503).end()
  printer.refuse = (operation, response) => operation === OPERATIONS['Print-Job'] && busy(operation, response)
  const id = await print()
  await waitForState(id, { is: 'pending', reasons: ['printer-not-accepting-jobs'] })
  // The answer to the job is lost, and the printer is too busy for the query that follows.
  printer.refuse = (operation, response) => {
    if (operation !== OPERATIONS['Print-Job']) return operation === OPERATIONS['Get-Jobs'] && busy(operation, response)
    printer.jobs.push(`Label [${token}]`)
    return response.destroy()
  }
  await waitForState(id, { is: 'processing', message: expect.stringContaining('it is busy (HTTP status 503)') })
  printer.job = 'completed'
  printer.refuse = undefined
  await waitForState(id, { is: 'completed' })
})

describe('a printer that accepts a job', () => {
  const [printJob, getJob] = [OPERATIONS['Print-Job'], OPERATIONS['Get-Job-Attributes']]
  const unconfirmed: Partial<SpoolerState> = { is: 'completed', reasons: ['completion-unconfirmed'] }
  const stopped: IppTypedAttributes = {
    'printer-state': { syntax: 'enum', value: 5 },
    'printer-state-reasons': keyword('media-empty-error'),
  }

  test.each<[string, NonNullable<Awaited<ReturnType<typeof open>>['printer']['describe']>]>([
    ['keeps no history', (operation) => (operation === getJob ? 'client-error-not-found' : undefined)],
    ['cannot be asked about it', (operation) => (operation === getJob ? 'client-error-forbidden' : undefined)],
    ['does not say its state', (operation) => (operation === getJob ? { 'job-id': integer(7) } : undefined)],
    ['gives it no id', (operation) => (operation === printJob ? {} : undefined)],
  ])('and %s leaves it done without a confirmed end, and the next job is printed', async (_, answer) => {
    const { printer, print, waitForState } = await open()
    printer.describe = answer
    await waitForState(await print(), unconfirmed)
    await waitForState(await print(), unconfirmed)
    expect(printer.jobs).toHaveLength(2)
  })

  test('and answers that it is completed, or knows it by its URI alone, confirms the end', async () => {
    const { printer, print, waitForState } = await open()
    printer.job = 'completed'
    printer.describe = (operation) => (operation === getJob ? 'client-error-not-found' : undefined)
    await waitForState(await print(), { is: 'completed', reasons: ['job-completed-successfully'] })
    printer.job = 'processing'
    printer.describe = (operation, asked) => {
      if (operation !== getJob) return undefined
      printer.job = 'completed'
      return asked['job-uri'] ? undefined : 'client-error-not-found'
    }
    await waitForState(await print(), { is: 'completed', reasons: ['job-completed-successfully'] })
  })

  test('of one copy and forgets it gets all sets', async () => {
    const { printer, print, waitForState } = await open()
    printer.describe = (operation) => (operation === getJob ? 'client-error-not-found' : undefined)
    await waitForState(await print({ qty: 3 }), unconfirmed)
    expect(printer.jobs).toHaveLength(3)
  })

  test('and was away before it forgot it leaves it unconfirmed, because a restart forgets what is not printed', async () => {
    const { printer, print, waitForState } = await open()
    const id = await print()
    await waitForState(id, { is: 'processing' })
    printer.refuse = (operation, response) => operation === getJob && response.destroy()
    await waitForState(id, { message: 'The printer cannot be reached.' })
    printer.refuse = undefined
    printer.describe = (operation) => (operation === getJob ? 'client-error-not-found' : undefined)
    await waitForState(id, { is: 'aborted', reasons: ['unconfirmed'] })
  })

  test('and stops without paper says so, also if it has forgotten the job, which is done when it goes on', async () => {
    const { printer, print, waitForState } = await open()
    printer.describe = (operation) => (operation === getJob ? 'client-error-not-found' : undefined)
    printer.printer = stopped
    const id = await print()
    const outOfPaper = { message: 'The printer is stopped. The printer is out of paper.' }
    await waitForState(id, {
      is: 'processing',
      ...outOfPaper,
      reasons: ['job-printing', 'media-empty', 'printer-stopped'],
    })
    printer.printer = {}
    await waitForState(id, unconfirmed)
  })

  test('and reads nothing for 4 minutes without paper, and answers 4 minutes later, gets the document once', async () => {
    const { printer, print, waitForState } = await open()
    const begun: string[] = []
    const ends = { reading: Promise.withResolvers<void>(), answering: Promise.withResolvers<void>() }
    printer.pause = async (before, { headers }) => {
      if (Number(headers['content-length']) < LARGE_BYTES) return
      begun.push(before)
      await ends[before].promise
    }
    printer.printer = stopped
    // Deadlines of connections use the global function; other waits use that of `node:timers/promises`.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const id = await print({ document: Buffer.concat([buildPdf(), Buffer.alloc(LARGE_BYTES, '\n')]) })
    await waitForState(id, { is: 'processing', message: expect.stringContaining('out of paper') })
    for (const before of ['reading', 'answering'] as const) {
      await waitFor(() => expect(begun.at(-1)).toBe(before))
      vi.advanceTimersByTime(FOUR_MINUTES_MS)
      ends[before].resolve()
    }
    printer.job = 'completed'
    printer.printer = {}
    await waitForState(id, { is: 'completed', reasons: ['job-completed-successfully'] })
    expect(begun).toEqual(['reading', 'answering'])
  })
})

test('a job whose answer was lost is found at a printer that cuts the names of jobs', async () => {
  const { printer, print, waitForState, token } = await open()
  printer.refuse = (operation, response) => {
    if (operation !== OPERATIONS['Print-Job']) return false
    printer.jobs.push(`[${token}] Label`.slice(0, 32))
    return response.destroy()
  }
  const id = await print()
  await waitForState(id, { is: 'processing' })
  printer.refuse = undefined
  printer.job = 'completed'
  await waitForState(id, { is: 'completed' })
  const next = await print()
  await waitForState(next, { is: 'completed' })
  expect(printer.jobs.at(-1)).toMatch(/^\[[0-9a-f-]{36}\] Label$/)
})

test('an ipps: printer with another key than at first gets nothing, until its user trusts it', async () => {
  proves('agent.ipps.key')
  const dataDir = makeDataDir()
  const sockets = new Set<Socket>()
  const issue = () => getTestAuthority().issue('127.0.0.1')
  const front = createServer(issue())
  const startFront = async (target: string) => {
    front.on('connection', (socket) => sockets.add(socket))
    front.on('secureConnection', (socket) => {
      const upstream = connect(Number(new URL(target).port), '127.0.0.1')
      for (const one of [socket, upstream]) one.on('error', () => one.destroy())
      socket.pipe(upstream).pipe(socket)
    })
    const uri = `ipps://127.0.0.1:${await listen(front)}/ipp/print`
    writeFileSync(join(dataDir, 'agent.json'), agentJson(uri))
    return uri
  }
  const { printer, spooler, print, waitForState } = await open({ uri: startFront, dir: join(dataDir, 'network') })
  const state = async () => (await spooler.printers())[0]
  await waitFor(async () => expect(await state()).toMatchObject({ state: 'online' }))
  const replace = () => {
    front.setSecureContext(issue())
    for (const socket of sockets) socket.destroy()
  }
  replace()
  const message = expect.stringMatching(/its key has changed.* platen-agent printers --trust "Office"/)
  await waitFor(async () => expect(await state()).toMatchObject({ state: 'offline', stateDetail: message }))
  const id = await print()
  await waitForState(id, { is: 'pending', message })
  expect(printer.jobs).toEqual([])
  expect(await runCommand('printers', '--trust', 'Office', '--data-dir', dataDir)).toMatchObject({ code: 0 })
  await waitFor(() => expect(printer.jobs).toHaveLength(1))
  const unknown = await runCommand('printers', '--trust', 'Other', '--data-dir', dataDir)
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/^No key of a printer "Other" is stored/) })
})

const agentJson = (uri: string) =>
  JSON.stringify({
    agentUrl: 'http://127.0.0.1:1',
    credential: CREDENTIAL,
    spooler: 'virtual',
    printers: [{ name: 'Office', uri }],
  })
