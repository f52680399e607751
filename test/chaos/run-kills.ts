/**
 * The agents of two computers, which share destinations, print on a real CUPS, while `kill -9` ends an agent, CUPS or a
 * service at random points.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectHistory } from '../checker/collect.ts'
import type { InjectedFault, SpoolerCall } from '../checker/history.ts'
import { QUEUES, startCups, type TestCups } from '../cups/start-cups.ts'
import type { Sheet } from '../devices/device.ts'
import { startZebra } from '../devices/zebra.ts'
import { openIppPrinters } from '../harness/ipp-printers.ts'
import { makePdf } from '../harness/pdf.ts'
import type { Restartable } from '../harness/restartable.ts'
import { startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { readAgent, startAgent } from './agents.ts'
import { createRecorder, type Recorder, type Request, request } from './client.ts'
import { createDestinations } from './destinations.ts'
import { type IppComputer, startIppComputer } from './ipp-computers.ts'
import { startIppRecorder } from './ipp-recorder.ts'
import { waitForQuiet } from './quiet.ts'
import { type Random, seededRandom } from './random.ts'
import { checkRun, openStores, toSettings, type Verdict } from './verdict.ts'

export interface KillsOptions {
  agentKills: number
  cupsKills: number
  gatewayKills?: number
  /**
   * Kills of the gateway, jobs, devices and the agents. Computers then create the jobs by IPP over lines that are cut.
   */
  ippKills?: number
  /** The jobs that are at least created. */
  jobsMin?: number
  /** The clients are programs that speak to PrintNode. */
  printNode?: boolean
  seed: number
  /** Until CUPS writes its state to disk: 0 as the guide of the agent advises; the default of CUPS is 30. */
  saveAfterSeconds?: number
  signal?: AbortSignal
  onProgress?: (line: string) => void
}

const CREATE_EVERY_MS = 250
/** The gateway starts again within seconds. */
const CREATE_TIMEOUT_MS = 60_000
/** From when the agent is connected, or its process started, to the kill. */
const LIVES_MAX_MS = 1_200
const UNCONNECTED_PERCENT = 20
const CUPS_AWAY_MAX_MS = 500
/** The default is 15 minutes. */
const ENVIRONMENT = { PLATEN_PRINTING_TIMEOUT_SECONDS: '60', PLATEN_PRINTNODE_API: 'on', PLATEN_IPP: 'on' }
/** Computers that print by IPP, each one document after the other. */
const IPP_COMPUTERS = 3
/** Beside the agents. */
const IPP_VICTIMS = ['gateway-0', 'jobs-0', 'devices-0']
/** PDFs of this size are not stored in the database. */
const LARGE_BYTES = 200_000
/** What CUPS or the agent still has to do after the kills. The printers take a second for each page. */
const END_TIMEOUT_MS = 300_000

const PDFS_DONE = `SELECT count(*)::int AS done FROM jobs.job WHERE state = 'done' AND content_type = 'pdf_base64'`

const INTERRUPTED = `SELECT count(*)::int AS interrupted FROM jobs.ipp_submission WHERE end_reason = 'interrupted'`

/** A label printer without a queue that tells what it has printed. */
const LABEL_PRINTER = 'Label printer'
const LABEL_MS = 150

const LABELS = `SELECT job.id, title, job.state, confirmed_by AS "confirmedBy", file_sha256 AS sha256 FROM jobs.job
  JOIN devices.printer ON printer.id = printer_id WHERE os_name = '${LABEL_PRINTER}'`

interface LabelJob {
  id: string
  title: string
  state: string
  confirmedBy: string | null
  sha256: string
}

interface Outcome extends Verdict {
  /** How many PDFs are done and came out of the printer of CUPS. */
  pdfs: { done: number; printed: number }
  /** The same of the label printer, and how many of its jobs it has confirmed. */
  labels: { confirmed: number; printed: number }
  /** Undefined if no computer printed by IPP. */
  ipp?: { cuts: number; createdJobs: number; interrupted: number; unansweredPrintJobs: number }
}

export async function runKills(options: KillsOptions): Promise<Outcome> {
  const { agentKills, cupsKills, gatewayKills = 0, ippKills = 0, jobsMin = 0, seed, saveAfterSeconds = 0 } = options
  const { signal, onProgress = () => undefined } = options
  await using started = new AsyncDisposableStack()
  onProgress('starting')
  const [system, cups] = await Promise.all([
    startSystem({ together: gatewayKills + ippKills === 0, env: ENVIRONMENT }).then((one) =>
      started.adopt(one, () => one.stop()),
    ),
    startCups({ saveAfterSeconds }).then((one) => started.adopt(one, () => one.stop())),
  ])
  const [host = '', port] = cups.server.split(':')
  const labelPrinter = started.adopt(await startZebra({ sheetMs: LABEL_MS, losesAtEnd: true }), (one) => one.stop())
  const { organizationId, key, ...computer } = await system.addOrganization({ mode: 'live' })
  const labels = {
    printers: [{ name: LABEL_PRINTER, uri: labelPrinter.uri }],
    rasterize: { [LABEL_PRINTER]: { rawLanguage: 'zpl' } },
  }
  const first = await addAgent('agent-0', computer, labels)
  const agents = [first, await addAgent('agent-1', await system.addLiveComputer(organizationId))]

  /** A recorder of its own says whose calls those of CUPS are. */
  async function addAgent(name: string, { computerId, credential }: typeof computer, config = {}) {
    const cupsAddress = { host, port: Number(port) }
    const recorder = started.adopt(await startIppRecorder(cupsAddress), (one) => one.close())
    const at = (path: string) => join(system.directory, path)
    const files = { name, organizationId, computerId, directory: at(name), logFile: at(`logs/${name}.log`) }
    const agent = await startAgent({
      ...files,
      config: { agentUrl: `http://${system.agentAddress}`, credential, spooler: 'system', ...config },
      env: { CUPS_SERVER: recorder.address },
      onEnd: (how) => system.unexpectedEnds.push(`${name}: ${how}`),
    })
    started.adopt(agent, () => agent.stop())
    return { agent, files, computerId, recorder }
  }

  const random = seededRandom(seed)
  const clients = createRecorder()
  const client = { recorder: clients, organizationId, key, baseUrl: system.baseUrl }
  const over = new AbortController()
  const raw = await Promise.all(agents.map(({ computerId }) => findPrinter(client, computerId, QUEUES.raw)))
  const printerIds = raw.map(({ id = '' }) => id)
  const destinationIds = await createDestinations(system, { organizationId, mode: 'live', printerIds })
  const create = options.printNode ? createByPrintNode : createByApi
  const creation = { random: random.fork(), create, jobsMin, computerId: first.computerId, destinationIds }
  const computers = ippKills > 0 ? await startIppComputers() : []
  const creating =
    computers.length > 0
      ? Promise.all(
          computers.map((computer, n) =>
            createJobs(client, { ...creation, ...toIppCreation(computer, n, creation) }, over.signal),
          ),
        )
      : createJobs(client, creation, over.signal)

  async function startIppComputers(): Promise<IppComputer[]> {
    await Promise.all(agents.map(({ computerId }) => findPrinter(client, computerId, QUEUES.laser)))
    await findPrinter(client, first.computerId, LABEL_PRINTER)
    const line = { organizationId, gatewayUrl: system.baseUrl, calls: clients.calls }
    const printers = await openIppPrinters(system, organizationId, 'live')
    for (const { id } of (await printers.api.get('/v1/printers?limit=100')).body.data) await printers.share(id)
    return await Promise.all(
      Array.from({ length: IPP_COMPUTERS }, async () =>
        started.adopt(await startIppComputer({ ...line, printers, random: random.fork() }), (one) => one.close()),
      ),
    )
  }

  const gateway = system.processes.find(({ name }) => name === 'gateway-0')
  const victims = [
    ...system.processes.filter(({ name }) => IPP_VICTIMS.includes(name)),
    ...agents.map(({ agent }) => agent),
  ]
  const kills = random.shuffle([
    ...Array.from({ length: agentKills }, () => () => killAgent(random.pick(agents).agent, random)),
    ...Array.from({ length: cupsKills }, () => () => killCups(cups, random)),
    ...Array.from({ length: gatewayKills }, () => () => killService(gateway, random)),
    ...Array.from({ length: ippKills }, () => () => killService(random.pick(victims), random)),
  ])
  const faults: InjectedFault[] = []
  for (const kill of kills) {
    signal?.throwIfAborted()
    faults.push(await kill())
    if (faults.length % 10 === 0) onProgress(`${faults.length} of ${kills.length} kills`)
  }
  over.abort()
  await creating
  await Promise.all(agents.map(({ agent }) => agent.ready()))

  const stores = openStores(system, started)
  onProgress(`waiting for the ends of ${clients.calls.length} jobs`)
  const agentFiles = agents.map(({ files }) => files)
  for (const computer of computers) await computer.settle(stores)
  await waitForQuiet(stores, agentFiles, END_TIMEOUT_MS)
  const labelJobs: LabelJob[] = (await stores.database.query(LABELS)).rows
  const history = await collectHistory(stores, {
    settings: toSettings(ENVIRONMENT),
    calls: clients.calls,
    spoolerCalls: [
      ...agents.flatMap(({ recorder, computerId }) => recorder.spoolerCalls(computerId)),
      ...toReleases(labelJobs, labelPrinter.sheets, first.computerId),
    ],
    faults,
    agents: await Promise.all(agentFiles.map(readAgent)),
    unexpectedEnds: system.unexpectedEnds,
  })
  const [{ done }] = (await stores.database.query(PDFS_DONE)).rows
  const [{ interrupted }] = (await stores.database.query(INTERRUPTED)).rows
  const verdict = await checkRun(system, history)
  const ofComputers = await Promise.all(computers.map((computer) => computer.findProblems(history)))
  return {
    ...verdict,
    violations: [...verdict.violations, ...findWrongLabels(labelJobs, labelPrinter.sheets), ...ofComputers.flat()],
    ipp: computers.length > 0 ? { ...sumFigures(computers), interrupted } : undefined,
    pdfs: { done, printed: cups.laser.printed().length },
    labels: {
      confirmed: labelJobs.filter(({ confirmedBy }) => confirmedBy === 'printer').length,
      printed: labelPrinter.sheets.length,
    },
  }
}

/** The label printer has no spooler. Each of its sheets stands for a release. */
function toReleases(jobs: LabelJob[], sheets: Sheet[], computerId: string): SpoolerCall[] {
  return sheets.flatMap(({ text, atMs }) => {
    const job = jobs.find(({ title }) => title === text)
    if (!job) return []
    const facts = { computerId, token: job.id, spoolerJobId: job.id, sha256: job.sha256, qty: 1 }
    const at = Math.round(performance.timeOrigin + atMs)
    return (['submit', 'release'] as const).map((call) => ({ ...facts, call, atMs: at }))
  })
}

/** No label is printed twice, and one that the printer has confirmed is out. */
function findWrongLabels(jobs: LabelJob[], sheets: Sheet[]): Verdict['violations'] {
  return jobs.flatMap(({ title, state, confirmedBy }) => {
    const printed = sheets.filter(({ text }) => text === title).length
    const isWrong = printed > 1 || (confirmedBy === 'printer' && printed === 0)
    const message = `The printer has ${printed} labels of the job, which is ${state} and confirmed by ${confirmedBy}.`
    return isWrong ? [{ group: 'spooler', subject: title, message }] : []
  })
}

interface Client {
  recorder: Recorder
  organizationId: string
  key: string
  baseUrl: string
}

interface Creation {
  random: Random
  create(client: Client, job: NewJob): Promise<void>
  jobsMin: number
  /** The titles begin with it. */
  prefix?: string
  /** Half of the PDFs have this size. */
  pdfBytes?: number
  /** Its printers get the jobs that name a printer. */
  computerId: string
  destinationIds: string[]
}

interface NewJob {
  title: string
  printer: Printer
  destination?: string
  contentType: string
  toDocument(title: string): Buffer
}

interface Printer {
  id?: string
  number?: number
}

/** Mostly labels, which print fast, and some pages. */
async function createJobs(client: Client, creation: Creation, signal: AbortSignal): Promise<void> {
  const { random, create, jobsMin, computerId, destinationIds, prefix = 'Kill', pdfBytes } = creation
  const raw = { printer: await findPrinter(client, computerId, QUEUES.raw), contentType: 'raw_base64' }
  const pdf = { printer: await findPrinter(client, computerId, QUEUES.laser), contentType: 'pdf_base64' }
  const label = { printer: await findPrinter(client, computerId, LABEL_PRINTER), contentType: 'raw_base64' }
  for (let number = 1; !signal.aborted || number <= jobsMin; number++) {
    const title = `${prefix} ${number}`
    const isPdf = random.chance(25)
    const to = isPdf ? pdf : random.pick([raw, label, { ...raw, destination: random.pick(destinationIds) }])
    const sizeBytes = isPdf && pdfBytes && random.chance(50) ? pdfBytes : 0
    const toDocument = (text: string) => (isPdf ? makePdf(text, sizeBytes) : Buffer.from(`^XA^FD${text}^FS^XZ`))
    await create(client, { ...to, title, toDocument })
    await sleep(CREATE_EVERY_MS)
  }
}

const toIppCreation = (computer: IppComputer, n: number, { random, jobsMin }: Creation) => ({
  random: random.fork(),
  jobsMin: Math.ceil(jobsMin / IPP_COMPUTERS),
  prefix: `Computer ${n}, print`,
  pdfBytes: LARGE_BYTES,
  create: (_: Client, { title, printer, destination, toDocument }: NewJob) =>
    computer.print({ title, path: destination === undefined ? `${printer.number}` : `d/${destination}`, toDocument }),
})

const sumFigures = (computers: IppComputer[]) => ({
  cuts: computers.reduce((sum, { cuts }) => sum + cuts, 0),
  createdJobs: computers.reduce((sum, { createdJobs }) => sum + createdJobs, 0),
  unansweredPrintJobs: computers.reduce((sum, { unanswered }) => sum + unanswered, 0),
})

/** The agent reports its printers after it is connected. */
const findPrinter = (client: Client, computerId: string, queue: string): Promise<Printer> =>
  waitFor(async () => {
    const { json } = await send(client, { path: '/v1/printers?limit=100', call: { kind: 'list' } })
    const printer = [json?.data ?? []].flat().find((one) => one.computerId === computerId && one.name === queue)
    if (!printer) throw new Error(`The agent has not reported the printer ${queue}.`)
    return printer
  }, CREATE_TIMEOUT_MS)

const send = ({ recorder, baseUrl, ...tenant }: Client, what: Omit<Request, 'baseUrl'>) =>
  request(recorder, tenant, { baseUrl, ...what })

/** What the requests that create the job have in common. */
function toRequest({ title, contentType, toDocument }: NewJob) {
  const content = toDocument(title)
  const contentSha256 = createHash('sha256').update(content).digest('hex')
  const call = { kind: 'create', marker: title, contentSha256 } as const
  return { call, body: { title, contentType, content: content.toString('base64') } }
}

async function createByApi(client: Client, job: NewJob): Promise<void> {
  const { printer, destination } = job
  const { call, body } = toRequest(job)
  const target = destination === undefined ? { printerId: printer.id } : { destination }
  await send(client, { path: '/v1/printjobs', body: JSON.stringify({ ...target, ...body }), call })
}

/**
 * Repeats the request with its key until it is accepted, or was before: a program that must print each job. PrintNode
 * has no destinations.
 */
async function createByPrintNode(client: Client, job: NewJob): Promise<void> {
  const { call, body: document } = toRequest(job)
  const headers = {
    authorization: `Basic ${Buffer.from(`${client.key}:`).toString('base64')}`,
    'x-idempotency-key': call.marker,
  }
  const body = JSON.stringify({ printerId: job.printer.number, source: 'shop', ...document })
  const keyed = { ...call, key: call.marker }
  const decided = await waitFor(async () => {
    const answer = await send(client, { path: '/printjobs', body, headers, call: keyed })
    if (answer.call.status !== 201 && answer.call.status !== 409)
      throw new Error(`The creation was answered ${answer.call.status}: ${JSON.stringify(answer.json)}`)
    return answer
  }, CREATE_TIMEOUT_MS)
  if (decided.call.status !== 201) return
  // The response is the number of the job.
  decided.call.jobId = await waitFor(async () => {
    const path = `/v1/printjobs?number=${decided.json}`
    const { json } = await send(client, { path, call: { kind: 'list' } })
    return [json?.data ?? []].flat()[0]?.id ?? Promise.reject(new Error('not found'))
  }, CREATE_TIMEOUT_MS)
}

async function killAgent(agent: Restartable, random: Random): Promise<InjectedFault> {
  if (!random.chance(UNCONNECTED_PERCENT)) await agent.ready()
  await sleep(random.integer(0, LIVES_MAX_MS))
  const startedAtMs = Date.now()
  void agent.kill()
  return { kind: 'kill -9', target: agent.name, startedAtMs, endedAtMs: startedAtMs }
}

async function killService(service: Restartable | undefined, random: Random): Promise<InjectedFault> {
  if (!service) throw new Error('the service is not a process of its own')
  await service.ready()
  await sleep(random.integer(0, LIVES_MAX_MS))
  const startedAtMs = Date.now()
  await service.kill()
  return { kind: 'kill -9', target: service.name, startedAtMs, endedAtMs: Date.now() }
}

async function killCups(cups: TestCups, random: Random): Promise<InjectedFault> {
  await sleep(random.integer(0, LIVES_MAX_MS))
  const startedAtMs = Date.now()
  await cups.kill()
  await sleep(random.integer(0, CUPS_AWAY_MAX_MS))
  await cups.start()
  return { kind: 'kill -9', target: 'cupsd', startedAtMs, endedAtMs: Date.now() }
}
