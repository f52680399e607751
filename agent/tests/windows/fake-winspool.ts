/**
 * The queues of a Windows computer in memory. They survive the agents, print when the test requests it, and record each
 * output.
 */
import type { Sheet } from '../../spoolers/pdf/placement.ts'
import { JOB_STATUS } from '../../spoolers/windows/job-status.ts'
import {
  type JobCommand,
  type JobInfo,
  NO_SUCH_PRINTER,
  type PagedDocument,
  type PrinterInfo,
  type Winspool,
  WinspoolError,
} from '../../spoolers/windows/winspool.ts'
import { type DriverAnswers, LASER } from './driver-answers.ts'

interface FakeJob extends JobInfo {
  printerName: string
  /** Raw bytes, or for each page brackets with one # per painted part. */
  content: string[]
  datatype: string
  isComplete: boolean
  /** Incomplete, but Windows treats it as complete. */
  isTruncated?: true
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
  /** Commands that the print server does not support. */
  unsupported?: JobCommand[]
  /** Changes the requested settings as a driver does. */
  merge?: (devmode: Buffer) => Buffer
  /** Changes the settings of the queue. */
  configure?: (devmode: Buffer) => Buffer
}

export function createFakeWinspool(options: FakeOptions = {}) {
  const {
    answers = LASER,
    driverVersion = 3,
    unsupported = [],
    merge = (devmode) => devmode,
    configure = (devmode) => devmode,
  } = options
  const printers = (options.printers ?? [{}]).map((printer) => ({ ...PRINTER, ...printer }))
  const jobs: FakeJob[] = []
  /** The printed jobs. */
  const printed: { content: string; isComplete: boolean }[] = []
  /** The settings that the driver returned, and the settings of the documents. */
  const devmodes: Buffer[] = []
  const documentDevmodes: Buffer[] = []
  const painted: Parameters<PagedDocument['paint']>[0][] = []
  let lastId = 0

  const expectPrinter = (name: string) => {
    if (!printers.some((printer) => printer.name === name)) throw new WinspoolError('OpenPrinterW', NO_SUCH_PRINTER)
  }
  const remove = (job: FakeJob) => void (jobs.includes(job) && jobs.splice(jobs.indexOf(job), 1))

  function start(printerName: string, document: string, datatype: string) {
    expectPrinter(printerName)
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
      abort: async () => remove(job),
    }
  }

  const winspool: Winspool = {
    enumPrinters: async () => structuredClone(printers),
    defaultPrinter: async () => printers[0]?.name,
    driverVersion: async () => driverVersion,
    devmode: async () => configure(Buffer.alloc(220 + 64, 0xaa)),

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
          // Windows can accept a part of the data.
          const accepted = bytes.subarray(0, 7)
          await add(Buffer.from(accepted).toString('latin1'))
          return accepted.length
        },
      }
    },

    async startPages(printerName, { name, devmode }) {
      documentDevmodes.push(Buffer.from(devmode))
      const { add, ...document } = start(printerName, name, 'NT EMF')
      const paint: PagedDocument['paint'] = async (target) => {
        painted.push(target)
        await add('#')
      }
      const calls = { startPage: () => add('['), paint, endPage: () => add(']') }
      return { ...document, ...calls, sheet: A4_AT_300 }
    },

    async enumJobs(printerName) {
      expectPrinter(printerName)
      return structuredClone(jobs.filter((job) => job.printerName === printerName))
    },

    async setJob(printerName, jobId, command) {
      expectPrinter(printerName)
      const job = jobs.find((one) => one.id === jobId)
      if (!job || unsupported.includes(command)) throw new WinspoolError('SetJobW', ERROR_INVALID_PARAMETER)
      if (command === 'pause') job.status |= JOB_STATUS.paused
      if (command === 'resume') job.status &= ~JOB_STATUS.paused
      if (command === 'retain') job.status |= JOB_STATUS.retained
      if (command === 'release') job.status &= ~JOB_STATUS.retained
      if (command === 'delete' || (command === 'release' && (job.status & JOB_STATUS.printed) !== 0)) remove(job)
    },
  }

  const getPrintable = () =>
    jobs.filter(
      ({ status, isComplete, isTruncated }) =>
        (isComplete || isTruncated) && (status & (JOB_STATUS.paused | JOB_STATUS.printed)) === 0,
    )

  return {
    winspool,
    printers,
    jobs,
    printed,
    devmodes,
    documentDevmodes,
    painted,

    /** The printer begins to print all printable jobs. */
    startPrinting() {
      for (const job of getPrintable()) job.status |= JOB_STATUS.printing
    },

    /** The printer prints all printable jobs. */
    print() {
      for (const job of getPrintable()) {
        printed.push({ content: job.content.join(''), isComplete: job.isComplete })
        job.status = (job.status & ~JOB_STATUS.printing) | JOB_STATUS.printed
        if ((job.status & JOB_STATUS.retained) === 0) remove(job)
      }
    },

    /**
     * A process with open documents died. It is not documented whether Windows deletes them or treats them as complete.
     */
    closeOpenDocuments(result: 'deleted' | 'completed') {
      for (const job of jobs.filter(({ status }) => (status & JOB_STATUS.spooling) !== 0)) {
        job.status &= ~JOB_STATUS.spooling
        if (result === 'deleted' || job.sizeBytes === 0) remove(job)
        else job.isTruncated = true
      }
    },
  }
}
