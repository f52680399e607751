/**
 * The calls of Windows that the driver uses: winspool.drv for queues and raw documents, gdi32 for pages. It contains no
 * decisions, so that the driver can be tested on any platform. `winspool-koffi.ts` implements it. Calls run outside the
 * event loop, because a queue on a print server can be slow. A failed call rejects with a WinspoolError.
 */
import type { Rectangle, Sheet } from '../pdf/placement.ts'

export interface Winspool {
  /** EnumPrintersW, level 2: local queues, and queues of print servers that this account has connected. */
  enumPrinters(): Promise<PrinterInfo[]>

  /** GetDefaultPrinterW; undefined if this account has none. */
  defaultPrinter(): Promise<string | undefined>

  /**
   * DeviceCapabilitiesW with the default settings of the printer. Loads the driver of the printer.
   *
   * @param output the buffer for a list; absent to get the number of items.
   * @returns the number of the driver; -1 for an unsupported capability and after an error.
   */
  deviceCapabilities(
    printer: Pick<PrinterInfo, 'name' | 'port'>,
    capability: number,
    output?: Uint8Array,
  ): Promise<number>

  /** GetPrinterDriverW, level 2: the version of the driver model, 4 for XPS drivers, otherwise at most 3. */
  driverVersion(printerName: string): Promise<number>

  /** The default settings: a DEVMODEW with the private part of the driver after it. */
  devmode(printerName: string): Promise<Uint8Array>

  /** DocumentPropertiesW with DM_IN_BUFFER and DM_OUT_BUFFER. @returns the settings that the driver accepted. */
  mergeDevmode(printerName: string, devmode: Uint8Array): Promise<Uint8Array>

  /** OpenPrinterW, StartDocPrinterW. */
  startRaw(printerName: string, document: { name: string; datatype: string }): Promise<RawDocument>

  /** CreateDCW, StartDocW: the driver converts pages to the data of the printer. */
  startPages(printerName: string, document: { name: string; devmode: Uint8Array }): Promise<PagedDocument>

  /** EnumJobsW, level 2: all jobs that this account may see, including ended jobs that were not removed. */
  enumJobs(printerName: string): Promise<JobInfo[]>

  /** SetJobW with a command and no settings. */
  setJob(printerName: string, jobId: number, command: JobCommand): Promise<void>
}

/** The part of PRINTER_INFO_2W that is used. */
export interface PrinterInfo {
  name: string
  port: string
  driver: string
  /** PRINTER_ATTRIBUTE_…. */
  attributes: number
  /** PRINTER_STATUS_…. */
  status: number
}

/** The part of JOB_INFO_2W that is used. */
export interface JobInfo {
  id: number
  document: string
  /** JOB_STATUS_…. */
  status: number
  /** Text of the driver or the port for users; usually empty. */
  statusText: string
  /** The spooled bytes so far. */
  sizeBytes: number
  /** Milliseconds since 1970. */
  submittedAtMs: number
}

export const JOB_COMMANDS = { pause: 1, resume: 2, delete: 5, retain: 8, release: 9 } as const

/** `retain` keeps the job in the queue after it has printed, until `release`. */
export type JobCommand = keyof typeof JOB_COMMANDS

interface OpenDocument {
  jobId: number

  /** Completes the document. */
  end(): Promise<void>

  /** Deletes the job. Called instead of `end`, or after `end` failed. */
  abort(): Promise<void>
}

export interface RawDocument extends OpenDocument {
  /** WritePrinter. @returns the number of accepted bytes. */
  write(bytes: Uint8Array): Promise<number>
}

export interface PagedDocument extends OpenDocument {
  sheet: Sheet
  startPage(): Promise<void>
  endPage(): Promise<void>

  /**
   * StretchDIBits, relative to the upper left corner of the printable area.
   *
   * @param bitmap a BITMAPINFO and its rows.
   */
  paint(target: Rectangle, bitmap: { info: Uint8Array; rows: Uint8Array; width: number; height: number }): Promise<void>
}

/** A failed call. */
export class WinspoolError extends Error {
  override name = 'WinspoolError'
  readonly code: number

  /** @param code the value of GetLastError; 0 for none. */
  constructor(call: string, code: number) {
    super(`${call} failed with Windows error ${code}.`)
    this.code = code
  }
}

/** ERROR_INVALID_PRINTER_NAME. */
export const NO_SUCH_PRINTER = 1801
