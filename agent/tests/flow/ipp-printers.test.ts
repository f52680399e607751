/** IPP printers of the configuration that refuse requests or jobs. `tests/cups/ipp-printers.test.ts` prints on real ones. */
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { proves } from '@platen/test/harness/rules.ts'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { IppJobState } from '../../ipp/enums.ts'
import { OPERATIONS } from '../../ipp/operations.ts'
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
  const job = makeSubmission(buildPdf(), 'Office', { contentType: 'pdf_base64' })
  return {
    printer,
    spooler,
    token: job.token,
    async print(): Promise<string> {
      const { spoolerJobId } = await spooler.submitHeld(job)
      await spooler.release(spoolerJobId)
      return spoolerJobId
    },
    waitForState: (id: string, state: Partial<SpoolerState>) =>
      waitFor(async () => expect(await spooler.state(id)).toMatchObject(state)),
  }
}

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
