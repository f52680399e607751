/**
 * What the Windows driver needs of the operating system, call for call: winspool.drv for queues and raw documents, gdi32 for pages. All that
 * is decided is decided on this side of it, so that it can be tested anywhere; `winspool-koffi.ts` is nothing but the calls.
 * Calls run outside of the event loop, for a queue on a print server can take its time. A call that fails rejects with a WinspoolError.
 */
export interface Winspool {
  /** EnumPrintersW, level 2: local queues, and what this account has connected to on print servers. */
  enumPrinters(): Promise<PrinterInfo[]>

  /** GetDefaultPrinterW; undefined when this account has none. */
  defaultPrinter(): Promise<string | undefined>

  /**
   * DeviceCapabilitiesW of the printer's own settings. Loads the printer's driver.
   *
   * @param output for what is a list; without it the answer is how many there are.
   * @returns the number that the driver gives; -1 when it does not know the capability, or fails.
   */
  deviceCapabilities(
    printer: Pick<PrinterInfo, 'name' | 'port'>,
    capability: number,
    output?: Uint8Array,
  ): Promise<number>

  /** The version of the driver model: 4 for XPS drivers, else 3 or less. GetPrinterDriverW, level 2. */
  driverVersion(printerName: string): Promise<number>

  /** The settings that the driver starts from: a DEVMODEW with the driver's private part behind it. */
  devmode(printerName: string): Promise<Uint8Array>

  /** What the driver makes of settings. DocumentPropertiesW with DM_IN_BUFFER and DM_OUT_BUFFER. */
  mergeDevmode(printerName: string, devmode: Uint8Array): Promise<Uint8Array>

  /** OpenPrinterW, StartDocPrinterW. */
  startRaw(printerName: string, document: { name: string; datatype: string }): Promise<RawDocument>

  /** CreateDCW, StartDocW: pages that the driver makes the printer's own data of. */
  startPages(printerName: string, document: { name: string; devmode: Uint8Array }): Promise<PagedDocument>

  /** EnumJobsW, level 2: everybody's that this account may see, those included that have ended and were not taken out. */
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
  /** What the driver or the port says, for people; mostly empty. */
  statusText: string
  /** What is spooled so far. */
  sizeBytes: number
  /** Milliseconds since 1970. */
  submittedAtMs: number
}

export const JOB_COMMANDS = { pause: 1, resume: 2, delete: 5, retain: 8, release: 9 } as const

/** `retain` keeps the job in the queue once it has printed, until `release`. */
export type JobCommand = keyof typeof JOB_COMMANDS

interface OpenDocument {
  jobId: number

  /** The spooler has all of it. */
  end(): Promise<void>

  /** Takes it back. To be called instead of `end`, also after `end` failed. */
  abort(): Promise<void>
}

export interface RawDocument extends OpenDocument {
  /** WritePrinter. @returns how many bytes were taken. */
  write(bytes: Uint8Array): Promise<number>
}

export interface PagedDocument extends OpenDocument {
  sheet: Sheet
  startPage(): Promise<void>
  endPage(): Promise<void>

  /**
   * StretchDIBits, counted from the upper left corner of what can be printed on.
   *
   * @param bitmap a BITMAPINFO, and its rows.
   */
  paint(at: Rectangle, bitmap: { info: Uint8Array; rows: Uint8Array; width: number; height: number }): Promise<void>
}

/** In pixels of the printer. */
export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** GetDeviceCaps, in pixels of the printer. */
export interface Sheet {
  dpiX: number
  dpiY: number
  /** What can be printed on. */
  printable: { width: number; height: number }
  /** The whole sheet. */
  physical: { width: number; height: number }
  /** Where the printable part begins on the sheet. */
  offset: { x: number; y: number }
}

/** A call failed. */
export class WinspoolError extends Error {
  override name = 'WinspoolError'
  readonly code: number

  /** @param code as GetLastError gives it; 0 when there is none. */
  constructor(call: string, code: number) {
    super(`Windows failed at ${call} with error ${code}.`)
    this.code = code
  }
}

/** ERROR_INVALID_PRINTER_NAME: there is no such printer. */
export const NO_SUCH_PRINTER = 1801
