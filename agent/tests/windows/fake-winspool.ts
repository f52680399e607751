/**
 * The queues of a Windows computer in memory. They outlive the agents that use them, print when the test says so, and write down what came
 * out: each finished job with what was in it.
 */
import { JOB_STATUS } from '../../spoolers/windows/job-status.ts'
import {
  type JobCommand,
  type JobInfo,
  NO_SUCH_PRINTER,
  type PrinterInfo,
  type Sheet,
  type Winspool,
  WinspoolError,
} from '../../spoolers/windows/winspool.ts'
import { type DriverAnswers, LASER } from './driver-answers.ts'

export interface FakeJob extends JobInfo {
  printerName: string
  /** Raw bytes, or "page" and "paint" for each that was drawn. */
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

export function createFakeWinspool(
  options: {
    printers?: Partial<PrinterInfo>[]
    answers?: DriverAnswers
    sheet?: Sheet
    driverVersion?: number
    /** What this print server cannot. */
    refuses?: JobCommand[]
    /** What the driver makes of settings that it is asked for. */
    merge?: (devmode: Buffer) => Buffer
  } = {},
) {
  const printers: PrinterInfo[] = (options.printers ?? [{}]).map((printer) => ({
    name: 'Office',
    port: 'IP_10.0.0.7',
    driver: 'Acme Laser',
    attributes: 0,
    status: 0,
    ...printer,
  }))
  const { answers = LASER, sheet = A4_AT_300, driverVersion = 3, refuses = [], merge = (same) => same } = options
  const jobs: FakeJob[] = []
  /** What lies in the output trays. */
  const printed: { document: string; content: string; isComplete: boolean }[] = []
  /** What drivers were asked for, and what documents were then drawn with. */
  const devmodes: Buffer[] = []
  const drawnWith: Buffer[] = []
  let lastId = 0

  function start(printerName: string, document: string, datatype: string): FakeJob {
    existing(printerName)
    const job: FakeJob = {
      id: ++lastId,
      printerName,
      document,
      datatype,
      status: JOB_STATUS.spooling,
      statusText: '',
      sizeBytes: 0,
      submittedAtMs: Date.now(),
      content: [],
      isComplete: false,
    }
    jobs.push(job)
    return job
  }

  const existing = (name: string) => {
    if (!printers.some((printer) => printer.name === name)) throw new WinspoolError('OpenPrinterW', NO_SUCH_PRINTER)
  }
  const drop = (job: FakeJob) => void (jobs.includes(job) && jobs.splice(jobs.indexOf(job), 1))
  const end = async (job: FakeJob) => {
    job.isComplete = true
    job.status &= ~JOB_STATUS.spooling
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
      const answer = answers[capability]
      if (answer === undefined) return -1
      if (typeof answer === 'number') return answer
      if (output) answer.items.copy(output)
      return answer.count
    },

    async startRaw(printerName, { name, datatype }) {
      const job = start(printerName, name, datatype)
      return {
        jobId: job.id,
        async write(bytes) {
          // Windows may take less than it is given.
          const taken = bytes.subarray(0, 7)
          job.content.push(Buffer.from(taken).toString('latin1'))
          job.sizeBytes += taken.length
          return taken.length
        },
        end: () => end(job),
        abort: async () => drop(job),
      }
    },

    async startPages(printerName, { name, devmode }) {
      drawnWith.push(Buffer.from(devmode))
      const job = start(printerName, name, 'NT EMF')
      const add = async (what: string) => {
        job.content.push(what)
        job.sizeBytes += 1
      }
      return {
        jobId: job.id,
        sheet,
        startPage: () => add('['),
        paint: () => add('#'),
        endPage: () => add(']'),
        end: () => end(job),
        abort: async () => drop(job),
      }
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
      if (command === 'release') {
        job.status &= ~JOB_STATUS.retained
        if ((job.status & JOB_STATUS.printed) !== 0) drop(job)
      }
      if (command === 'delete') drop(job)
    },
  }

  const isPrintable = ({ status, isComplete, isCut }: FakeJob) =>
    (isComplete || isCut) && (status & (JOB_STATUS.paused | JOB_STATUS.printed)) === 0

  return {
    winspool,
    printers,
    jobs,
    printed,
    devmodes,
    drawnWith,

    /** The printer begins with each job that it may print. */
    begin() {
      for (const job of jobs.filter(isPrintable)) job.status |= JOB_STATUS.printing
    },

    /** The printer prints all that it may. */
    print() {
      for (const job of jobs.filter(isPrintable)) {
        printed.push({ document: job.document, content: job.content.join(''), isComplete: job.isComplete })
        job.status = (job.status & ~JOB_STATUS.printing) | JOB_STATUS.printed
        if ((job.status & JOB_STATUS.retained) === 0) drop(job)
      }
    },

    /**
     * A process died that had documents open. What Windows does then is not written anywhere: it drops them, or takes them for whole.
     */
    closeOpenDocuments(how: 'dropped' | 'taken') {
      for (const job of jobs.filter(({ status }) => (status & JOB_STATUS.spooling) !== 0)) {
        job.status &= ~JOB_STATUS.spooling
        if (how === 'dropped' || job.sizeBytes === 0) drop(job)
        else job.isCut = true
      }
    },
  }
}

export type FakeWinspool = ReturnType<typeof createFakeWinspool>
