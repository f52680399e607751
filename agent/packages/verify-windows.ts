/**
 * Verifies the Windows driver on a real Windows computer, run by a user. Prints at most two sheets.
 *
 *     node agent/packages/verify-windows.ts                      lists the printers
 *     node agent/packages/verify-windows.ts "NAME" FILE          prints FILE (a PDF or raw data of the printer) and shows the results
 *
 * The exit code is 0 if all checks pass. docs/agent-platforms.md describes the steps before and after.
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inspectPdfs } from '../spoolers/inspect-pdfs.ts'
import { readOffer } from '../spoolers/windows/device-capabilities.ts'
import { parseSpoolerJobId, toDocumentName } from '../spoolers/windows/job-names.ts'
import { createWindowsSpooler } from '../spoolers/windows/windows-spooler.ts'
import { loadWinspool } from '../spoolers/windows/winspool-koffi.ts'

/** Sufficient for a printer to begin to print a job that must not print. */
const HELD_FOR_MS = 10_000

const END_TIMEOUT_MS = 120_000

const [printerName = '', file = '', role = ''] = process.argv.slice(2)
const winspool = await loadWinspool()
const spooler = inspectPdfs(createWindowsSpooler(async () => winspool))
let failures = 0

if (role === 'leave-open') await leaveOpen()
else if (file === '')
  for (const printer of await spooler.printers()) process.stdout.write(`${JSON.stringify(printer, null, 2)}\n`)
else await verify()

async function verify(): Promise<void> {
  const printer = (await winspool.enumPrinters()).find(({ name }) => name === printerName)
  if (!printer) throw new Error(`The computer has no printer "${printerName}".`)
  check(true, 'the driver answers', JSON.stringify((await readOffer(winspool, printer)).capabilities))
  const token = randomUUID()
  const contentType = file.toLowerCase().endsWith('.pdf') ? 'pdf_base64' : 'raw_base64'
  const submission = {
    token,
    title: 'Platen verification',
    printerOsName: printerName,
    file,
    contentType,
    qty: 1,
    options: {},
  }

  const { spoolerJobId, warnings } = await spooler.submitHeld(submission)
  check(true, 'submitted held', `${spoolerJobId} ${JSON.stringify(warnings)}`)
  await sleep(HELD_FOR_MS)
  check(
    (await spooler.state(spoolerJobId))?.is === 'held',
    'held after 10 s: check that the printer is idle',
    await getStatus(spoolerJobId),
  )
  await spooler.release(spoolerJobId)
  const states: string[] = []
  for await (const state of spooler.watch(spoolerJobId, AbortSignal.timeout(END_TIMEOUT_MS))) {
    states.push(state.is)
    check(true, `  ${state.is}`, `${state.message ?? ''} ${state.reasons.join(' ')} ${await getStatus(spoolerJobId)}`)
  }
  check(states.at(-1) === 'completed', 'completed: check the sheet', '')
  check(
    (await spooler.state(spoolerJobId)) === undefined,
    'missing from the queue afterwards',
    await getStatus(spoolerJobId),
  )

  const removed = await spooler.submitHeld({ ...submission, token: randomUUID() })
  await spooler.remove(removed.spoolerJobId)
  check(
    (await spooler.state(removed.spoolerJobId)) === undefined,
    'a removed job is missing from the queue',
    await getStatus(removed.spoolerJobId),
  )

  await killWhileOpen()
  process.exitCode = failures === 0 ? 0 : 1
}

/** Kills a process with an open document. Nothing of it may be printed, and the job is found and deleted. */
async function killWhileOpen(): Promise<void> {
  const token = randomUUID()
  const child = fork(fileURLToPath(import.meta.url), [printerName, token, 'leave-open'])
  await new Promise((resolve) => child.once('message', resolve))
  child.kill('SIGKILL')
  await sleep(HELD_FOR_MS)
  const jobs = (await winspool.enumJobs(printerName)).filter(({ document }) => document.endsWith(`[${token}]`))
  check(
    jobs.every(({ status }) => (status & 1) !== 0),
    'the job of a killed process is paused or missing: check that the printer is idle',
    JSON.stringify(jobs),
  )
  check((await spooler.find(token)) === undefined, 'the job of a killed process is deleted by find', '')
}

/** The child process of `killWhileOpen`. `file` is the token. */
async function leaveOpen(): Promise<void> {
  const document = await winspool.startRaw(printerName, {
    name: toDocumentName('Platen verification', file),
    datatype: 'RAW',
  })
  await winspool.setJob(printerName, document.jobId, 'pause')
  await document.write(Buffer.from('THIS MUST NOT BE PRINTED\r\n\f'))
  process.send?.('open')
  await sleep(60_000)
}

async function getStatus(spoolerJobId: string): Promise<string> {
  const jobId = parseSpoolerJobId(spoolerJobId)?.jobId
  const job = (await winspool.enumJobs(printerName)).find(({ id }) => id === jobId)
  return job ? `status 0x${job.status.toString(16)}, ${job.sizeBytes} bytes` : 'not in the queue'
}

function check(passed: boolean, what: string, details: string): void {
  if (!passed) failures++
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${what}${details === '' ? '' : `: ${details}`}\n`)
}
