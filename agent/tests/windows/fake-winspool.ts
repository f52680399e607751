/** The queues of a Windows computer in memory. They outlive the agents that use them, print when the test calls for it, and record each output. */
import { JOB_STATUS } from '../../spoolers/windows/job-status.ts'
import {
  type JobCommand,
  type JobInfo,
  NO_SUCH_PRINTER,
  type PagedDocument,
  type PrinterInfo,
  type Sheet,
  type Winspool,
  WinspoolError,
} from '../../spoolers/windows/winspool.ts'
import { type DriverAnswers, LASER } from './driver-answers.ts'

interface FakeJob extends JobInfo {
  printerName: string
  /** Raw bytes; or brackets for a page and # for each part that was painted. */
  content: string[]
  datatype: string
  isComplete: boolean
  /** Windows took it for complete, which it was not. */
  isCut?: true
}

const ERROR_INVALID_PARAMETER = 87

export const A4_AT_300: Sheet = {
  dpiX: 300,
  dpiY: 300,
  printable: { width: 2380, height: 3408 },
  physical: { width: 2480, height: 3508 },
  offset: { x: 50, y: 50 },
}

const PRINTER: PrinterInfo = { name: 'Office', port: 'IP_10.0.0.7', driver: 'Acme Laser', attributes: 0, status: 0 }

interface FakeOptions {
  printers?: Partial<PrinterInfo>[]
  answers?: DriverAnswers
  driverVersion?: number
  /** What this print server cannot. */
  refuses?: JobCommand[]
  /** What the driver makes of settings that it is asked for. */
  merge?: (devmode: Buffer) => Buffer
}

export function createFakeWinspool(options: FakeOptions = {}) {
  const { answers = LASER, driverVersion = 3, refuses = [], merge = (same) => same } = options
  const printers = (options.printers ?? [{}]).map((printer) => ({ ...PRINTER, ...printer }))
  const jobs: FakeJob[] = []
  /** What lies in the output trays. */
  const printed: { content: string; isComplete: boolean }[] = []
  /** What drivers were asked for, and what documents were then drawn with. */
  const devmodes: Buffer[] = []
  const drawnWith: Buffer[] = []
  const painted: Parameters<PagedDocument['paint']>[0][] = []
  let lastId = 0

  const existing = (name: string) => {
    if (!printers.some((printer) => printer.name === name)) throw new WinspoolError('OpenPrinterW', NO_SUCH_PRINTER)
  }
  const drop = (job: FakeJob) => void (jobs.includes(job) && jobs.splice(jobs.indexOf(job), 1))

  function start(printerName: string, document: string, datatype: string) {
    existing(printerName)
    const facts = { id: ++lastId, printerName, document, datatype, submittedAtMs: Date.now() }
    const initial = { status: JOB_STATUS.spooling, statusText: '', sizeBytes: 0, content: [], isComplete: false }
    const job: FakeJob = { ...facts, ...initial }
    jobs.push(job)
    return {
      jobId: job.id,
      async add(content: string) {
        job.content.push(content)
        job.sizeBytes += content.length
      },
      async end() {
        job.isComplete = true
        job.status &= ~JOB_STATUS.spooling
      },
      abort: async () => drop(job),
    }
  }

  const winspool: Winspool = {
    enumPrinters: async () => structuredClone(printers),
    defaultPrinter: async () => printers[0]?.name,
    driverVersion: async () => driverVersion,
    devmode: async () => Buffer.alloc(220 + 64, 0xaa),

    async mergeDevmode(_name, devmode) {
      const merged = merge(Buffer.from(devmode))
      devmodes.push(merged)
      return merged
    },

    async deviceCapabilities(_printer, capability, output) {
      const answer = answers[capability] ?? -1
      if (typeof answer === 'number') return answer
      if (output) answer.items.copy(output)
      return answer.count
    },

    async startRaw(printerName, { name, datatype }) {
      const { add, ...document } = start(printerName, name, datatype)
      return {
        ...document,
        async write(bytes) {
          // Windows may take less than it is given.
          const taken = bytes.subarray(0, 7)
          await add(Buffer.from(taken).toString('latin1'))
          return taken.length
        },
      }
    },

    async startPages(printerName, { name, devmode }) {
      drawnWith.push(Buffer.from(devmode))
      const { add, ...document } = start(printerName, name, 'NT EMF')
      const paint: PagedDocument['paint'] = async (at) => {
        painted.push(at)
        await add('#')
      }
      const calls = { startPage: () => add('['), paint, endPage: () => add(']') }
      return { ...document, ...calls, sheet: A4_AT_300 }
    },

    async enumJobs(printerName) {
      existing(printerName)
      return structuredClone(jobs.filter((job) => job.printerName === printerName))
    },

    async setJob(printerName, jobId, command) {
      existing(printerName)
      const job = jobs.find((one) => one.id === jobId)
      if (!job || refuses.includes(command)) throw new WinspoolError('SetJobW', ERROR_INVALID_PARAMETER)
      if (command === 'pause') job.status |= JOB_STATUS.paused
      if (command === 'resume') job.status &= ~JOB_STATUS.paused
      if (command === 'retain') job.status |= JOB_STATUS.retained
      if (command === 'release') job.status &= ~JOB_STATUS.retained
      if (command === 'delete' || (command === 'release' && (job.status & JOB_STATUS.printed) !== 0)) drop(job)
    },
  }

  const printable = () =>
    jobs.filter(
      ({ status, isComplete, isCut }) =>
        (isComplete || isCut) && (status & (JOB_STATUS.paused | JOB_STATUS.printed)) === 0,
    )

  return {
    winspool,
    printers,
    jobs,
    printed,
    devmodes,
    drawnWith,
    painted,

    /** The printer begins with each job that it may print. */
    begin() {
      for (const job of printable()) job.status |= JOB_STATUS.printing
    },

    /** The printer prints all that it may. */
    print() {
      for (const job of printable()) {
        printed.push({ content: job.content.join(''), isComplete: job.isComplete })
        job.status = (job.status & ~JOB_STATUS.printing) | JOB_STATUS.printed
        if ((job.status & JOB_STATUS.retained) === 0) drop(job)
      }
    },

    /** A process died that had documents open. What Windows does then is not documented: it drops them, or takes them for whole. */
    closeOpenDocuments(how: 'dropped' | 'taken') {
      for (const job of jobs.filter(({ status }) => (status & JOB_STATUS.spooling) !== 0)) {
        job.status &= ~JOB_STATUS.spooling
        if (how === 'dropped' || job.sizeBytes === 0) drop(job)
        else job.isCut = true
      }
    },
  }
}
