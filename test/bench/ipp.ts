/**
 * `npm run bench -- ipp`: what a PDF costs that a computer prints by IPP, in one request or in two, beside the same by
 * REST, and the attributes of a printer, which computers ask for several times a second while they print. The phases
 * alternate, since the speed of a machine changes within minutes.
 */
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { decodeMessage } from '@platen/ipp/decode.ts'
import { encodeMessage } from '@platen/ipp/encode.ts'
import { type IppOperation, OPERATIONS } from '@platen/ipp/operations.ts'
import { GROUPS } from '@platen/ipp/tags.ts'
import { boolean, integer, name, uri } from '@platen/ipp/typed.ts'
import { openIppPrinters } from '../harness/ipp-printers.ts'
import { type System, startSystem } from '../harness/system.ts'
import { ENDPOINT_NETWORK } from './amounts.ts'
import { besideBareTimer } from './bare-timer.ts'
import { runPhase, settle, WARM_UP_SECONDS } from './jobs.ts'
import { CLIENTS, CONTENT, type Load, type Phase, saturate, startLoad, stopLoad, untilDone } from './load.ts'
import {
  type Figures,
  medians,
  percentiles,
  percentilesOfClient,
  printTable,
  runClients,
  runSteadily,
} from './report.ts'

const PHASES = 3
/** Each has a print access, which can make 30 requests a second and send 3 documents at once. */
const ORGANIZATIONS = 50
const ATTRIBUTES_PER_SECOND = 400

export async function benchIpp(seconds: number): Promise<void> {
  const system = await startSystem({
    together: true,
    env: { PLATEN_ALLOWED_NETWORKS: ENDPOINT_NETWORK, PLATEN_IPP: 'on' },
  })
  try {
    const load = await startLoad(system, { organizations: ORGANIZATIONS, printers: 1 })
    const paths = await shareAll(system, load)
    const kinds: Record<string, (length: number) => Promise<Phase>> = {
      'job by REST': (length) => saturate(load, length),
      'job by Print-Job': (length) =>
        print(load, 'Print-Job', length, (n) => post(load, paths[n % paths.length] ?? '', PRINT_JOB)),
      'job by Create-Job': (length) =>
        print(load, 'Create-Job', length, (n) => createAndSend(load, paths[n % paths.length] ?? '')),
      'Get-Printer-Attributes': (length) =>
        besideBareTimer('Get-Printer-Attributes', () => readAttributes(load, paths, length)),
    }
    console.log(`warming up, ${WARM_UP_SECONDS} s each …`)
    for (const run of Object.values(kinds)) await run(WARM_UP_SECONDS)
    const phases: Record<string, Figures[]> = {}
    for (let n = 0; n < PHASES; n++)
      for (const [unit, run] of Object.entries(kinds)) {
        await settle(system)
        phases[unit] = [...(phases[unit] ?? []), await runPhase(system, unit, () => run(seconds))]
      }
    await stopLoad(load)
    const figures: Figures = Object.assign({}, ...Object.values(phases).map(medians))
    const read = (unit: string) => figures[`CPU µs a ${unit}, sum`] ?? Number.NaN
    const ratio = (unit: string) => Number((read(unit) / read('job by REST')).toFixed(2))
    printTable({
      ...figures,
      'CPU by Print-Job / by REST': ratio('job by Print-Job'),
      'CPU by Create-Job / by REST': ratio('job by Create-Job'),
    })
  } finally {
    await system.stop()
  }
}

/** @returns the path of each printer with the secret of its own print access. */
async function shareAll(system: System, { targets, organizationIds }: Load): Promise<string[]> {
  const paths: string[] = []
  for (const organizationId of organizationIds) {
    const { api, share, addAccess } = await openIppPrinters(system, organizationId, 'live')
    const [printer] = (await api.get('/v1/printers')).body.data
    paths.push(`/ipp/print/${await share(printer.id)}/${(await addAccess()).secret}`)
  }
  if (paths.length !== targets.length) throw new Error('an organization has not one printer')
  return paths
}

/** Closed loop of prints with the document of REST, until the last job is done. */
async function print(
  load: Load,
  operation: IppOperation,
  seconds: number,
  send: (n: number) => Promise<unknown>,
): Promise<Phase> {
  const startedAt = performance.now()
  const before = load.created
  await runClients(CLIENTS, seconds, () => send(load.created++))
  await untilDone(load)
  const jobs = load.created - before
  return {
    jobs,
    figures: { [`jobs/s to done by ${operation}`]: Math.round((jobs / (performance.now() - startedAt)) * 1000) },
  }
}

async function createAndSend(load: Load, path: string): Promise<void> {
  const { groups } = decodeMessage(await post(load, path, CREATE_JOB))
  const job = groups.find(({ tag }) => tag === GROUPS.job)
  const facts = { 'job-id': integer(Number(job?.attributes['job-id']?.[0])), 'last-document': boolean(true) }
  await post(load, path, Buffer.concat([toRequest('Send-Document', facts), CONTENT]))
}

/** All attributes, as computers ask for them. Each request is measured from the time at which it is due. */
async function readAttributes(load: Load, paths: string[], seconds: number): Promise<Phase> {
  const all = await runSteadily(ATTRIBUTES_PER_SECOND, ATTRIBUTES_PER_SECOND * seconds, async (dueAt, n) => {
    const lateMs = performance.now() - dueAt
    await post(load, paths[n % paths.length] ?? '', ATTRIBUTES)
    return { lateMs, tookMs: performance.now() - dueAt }
  })
  const unit = 'Get-Printer-Attributes'
  const figures = {
    ...percentiles(
      unit,
      all.map(({ tookMs }) => tookMs),
    ),
    ...percentilesOfClient(
      unit,
      all.map(({ lateMs }) => lateMs),
    ),
  }
  return { jobs: all.length, figures }
}

function toRequest(operation: IppOperation, facts: IppTypedAttributes) {
  const attributes = {
    'attributes-charset': { syntax: 'charset', value: 'utf-8' },
    'attributes-natural-language': { syntax: 'naturalLanguage', value: 'en' },
    'printer-uri': uri('ipp://localhost/ipp/print/1'),
    ...facts,
  } as const
  return encodeMessage({
    version: [2, 0],
    code: OPERATIONS[operation],
    requestId: 1,
    groups: [{ tag: GROUPS.operation, attributes }],
  })
}

const PRINT_JOB = Buffer.concat([toRequest('Print-Job', { 'job-name': name('Bench') }), CONTENT])
const CREATE_JOB = toRequest('Create-Job', { 'job-name': name('Bench') })
const ATTRIBUTES = toRequest('Get-Printer-Attributes', {})

/** @returns the answer. */
async function post({ gateway }: Load, path: string, body: Buffer): Promise<Buffer> {
  const response = await gateway.request({ path, method: 'POST', headers: { 'content-type': 'application/ipp' }, body })
  const answer = Buffer.from(await response.body.arrayBuffer())
  // The third and fourth bytes are the status, which is 0 for success.
  if (response.statusCode !== 200 || answer.readUInt16BE(2) !== 0)
    throw new Error(`a request was answered with ${response.statusCode}: ${answer.toString('latin1', 0, 200)}`)
  return answer
}
