/** What an explanation is made of. Read by `runtime/rpc/read-job-facts.ts`. */
import type { Computer, Destination, Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type {
  Job,
  JobDetails,
  JobEvent,
  PassedPrinter,
  PrinterQueue,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'

/** Part of an event of a printer or a computer. */
export interface DeviceEvent {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

export interface Facts {
  now: Date
  job: Job
  /** Oldest first. */
  events: JobEvent[]
  attempt: number
  isFetching: boolean
  documentKeptUntil: Date | undefined
  printingUntil: Date | undefined
  /** Undefined for a job that has ended. */
  queue:
    | Pick<PrinterQueue, 'position' | 'length' | 'headJobId' | 'unacknowledged' | 'batchBefore' | 'batchBegun'>
    | undefined
  /** For texts. Shortened. `queue` is the printer as its operating system names it. */
  names: { printer: string; computer: string; queue?: string }
  /** The printer of the job, as they are now, or were when the job ended. Undefined if the printer was removed. */
  printer: PrinterFacts | undefined
  /** Undefined if it was deleted. */
  computer: ComputerFacts | undefined
  /** The destination of the job, as it is now. Undefined for a job of a printer. */
  destination?: DestinationFacts | undefined
  /** The earlier printers of its destination that did not get the job. */
  passedPrinters: PassedPrinter[]
}

/** A destination has no printers if it was deleted. */
export type DestinationFacts = Pick<Destination, 'name' | 'enabled' | 'printers'>

export interface PrinterFacts {
  enabled: boolean
  state: string
  stateReasons: string[]
  stateDetail: string
  /** The begin of the state, as far as the feed knows. */
  since: Date | null
}

export interface ComputerFacts {
  state: string
  /** Since when its agent is refused, as it is now. Absent: it is not. */
  unauthorizedAt?: Date | undefined
  /** The time since which it is paused now. Absent: not paused. */
  pausedAt?: Date | undefined
  since: Date | null
}

/** What other services know about the job. */
export interface Found {
  details: JobDetails
  printer: Printer | undefined
  computer: Computer | undefined
  /** Undefined also if it was deleted. */
  destination?: Destination | undefined
  /** Events of printer and computer until the end of the job, oldest first. */
  deviceEvents: DeviceEvent[]
}
