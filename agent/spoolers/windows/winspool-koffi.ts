/**
 * The calls of Windows through koffi. Loaded by the first call, on Windows only. Each call runs on its own thread, and
 * the error of a failed call is read before other code can run.
 */

import { loadNative, resolveNative } from '../native-packages.ts'
import { createStartPages } from './gdi-koffi.ts'
import { defineStructures } from './structures.ts'
import { JOB_COMMANDS, type RawDocument, type Winspool, WinspoolError } from './winspool.ts'

export type Koffi = typeof import('koffi').default
type Library = ReturnType<Koffi['load']>
type Foreign = ReturnType<Library['func']>

/** The type of a parameter. */
export type ForeignType = Parameters<Library['func']>[3][number]

/** A HANDLE. */
export type Handle = number | bigint

const PRINTER_ENUM = { LOCAL: 2, CONNECTIONS: 4 }
const ALL_JOBS = 0xffffffff
const DM_OUT_BUFFER = 2
const DM_IN_BUFFER = 8
const IDOK = 1

/** The initial size of a buffer for a list. The call reports a larger size if needed. */
const INITIAL_BUFFER_BYTES = 64 * 1024

export async function loadWinspool(): Promise<Winspool> {
  // koffi requires this package itself and would find it in other directories.
  resolveNative(`@koromix/koffi-${process.platform}-${process.arch}`)
  const koffi = loadNative('koffi') as Koffi
  const types = defineStructures(koffi)
  const call = createCall(koffi)
  const library = koffi.load('winspool.drv')
  const foreign = (name: string, result: string, ...parameters: ForeignType[]) =>
    library.func('__stdcall', name, result, parameters)
  const out = (type: string) => koffi.out(koffi.pointer(type))

  const EnumPrintersW = foreign(
    'EnumPrintersW',
    'int32',
    'uint32',
    'str16',
    'uint32',
    'void *',
    'uint32',
    out('uint32'),
    out('uint32'),
  )
  const GetDefaultPrinterW = foreign('GetDefaultPrinterW', 'int32', 'void *', koffi.inout(koffi.pointer('uint32')))
  const DeviceCapabilitiesW = foreign('DeviceCapabilitiesW', 'int32', 'str16', 'str16', 'uint16', 'void *', 'void *')
  const OpenPrinterW = foreign('OpenPrinterW', 'int32', 'str16', out('uintptr'), 'void *')
  const ClosePrinter = foreign('ClosePrinter', 'int32', 'uintptr')
  const GetPrinterDriverW = foreign(
    'GetPrinterDriverW',
    'int32',
    'uintptr',
    'str16',
    'uint32',
    'void *',
    'uint32',
    out('uint32'),
  )
  const DocumentPropertiesW = foreign(
    'DocumentPropertiesW',
    'int32',
    'uintptr',
    'uintptr',
    'str16',
    'void *',
    'void *',
    'uint32',
  )
  const StartDocPrinterW = foreign('StartDocPrinterW', 'uint32', 'uintptr', 'uint32', koffi.pointer(types.DOC_INFO_1W))
  const WritePrinter = foreign('WritePrinter', 'int32', 'uintptr', 'void *', 'uint32', out('uint32'))
  const EndDocPrinter = foreign('EndDocPrinter', 'int32', 'uintptr')
  const AbortPrinter = foreign('AbortPrinter', 'int32', 'uintptr')
  const EnumJobsW = foreign(
    'EnumJobsW',
    'int32',
    'uintptr',
    'uint32',
    'uint32',
    'uint32',
    'void *',
    'uint32',
    out('uint32'),
    out('uint32'),
  )
  const SetJobW = foreign('SetJobW', 'int32', 'uintptr', 'uint32', 'uint32', 'void *', 'uint32')

  async function openPrinter(name: string): Promise<Handle> {
    const handle: [Handle] = [0]
    await call.runChecked('OpenPrinterW', OpenPrinterW, name, handle, null)
    return handle[0]
  }

  async function withPrinter<T>(name: string, work: (handle: Handle) => Promise<T>): Promise<T> {
    const handle = await openPrinter(name)
    try {
      return await work(handle)
    } finally {
      await call.run(ClosePrinter, handle)
    }
  }

  /** Repeats the call with a larger buffer until it is sufficient. @returns the buffer and the number of items. */
  async function enumerateItems(name: string, enumerate: Foreign, ...parameters: unknown[]): Promise<[Buffer, number]> {
    for (let bufferBytes = INITIAL_BUFFER_BYTES; ; ) {
      const buffer = Buffer.alloc(bufferBytes)
      const [needed, count] = [[0], [0]]
      const { result, error } = await call.run(enumerate, ...parameters, buffer, bufferBytes, needed, count)
      if (result !== 0) return [buffer, count[0] ?? 0]
      if ((needed[0] ?? 0) <= bufferBytes) throw new WinspoolError(name, error)
      bufferBytes = needed[0] ?? 0
    }
  }

  async function documentProperties(handle: Handle, printerName: string, from: Uint8Array | null): Promise<Uint8Array> {
    const size = (await call.run(DocumentPropertiesW, 0, handle, printerName, null, null, 0)).result
    if (size <= 0) throw new WinspoolError('DocumentPropertiesW', 0)
    const devmode = Buffer.alloc(Math.max(size, from?.length ?? 0))
    const mode = DM_OUT_BUFFER | (from ? DM_IN_BUFFER : 0)
    const { result, error } = await call.run(DocumentPropertiesW, 0, handle, printerName, devmode, from, mode)
    if (result !== IDOK) throw new WinspoolError('DocumentPropertiesW', error)
    return devmode
  }

  return {
    startPages: createStartPages(koffi, types, call),

    async enumPrinters() {
      const flags = PRINTER_ENUM.LOCAL | PRINTER_ENUM.CONNECTIONS
      return types.readPrinters(...(await enumerateItems('EnumPrintersW', EnumPrintersW, flags, null, 2)))
    },

    async defaultPrinter() {
      const units = [1024]
      const buffer = Buffer.alloc(2048)
      const { result } = await call.run(GetDefaultPrinterW, buffer, units)
      return result === 0 ? undefined : buffer.toString('utf16le').split('\0', 1)[0]
    },

    async deviceCapabilities({ name, port }, capability, output) {
      return (await call.run(DeviceCapabilitiesW, name, port, capability, output ?? null, null)).result
    },

    driverVersion: (printerName) =>
      withPrinter(printerName, async (handle) => {
        for (let bufferBytes = INITIAL_BUFFER_BYTES; ; ) {
          const buffer = Buffer.alloc(bufferBytes)
          const needed = [0]
          const { result, error } = await call.run(GetPrinterDriverW, handle, null, 2, buffer, bufferBytes, needed)
          if (result !== 0) return buffer.readUInt32LE(0)
          if ((needed[0] ?? 0) <= bufferBytes) throw new WinspoolError('GetPrinterDriverW', error)
          bufferBytes = needed[0] ?? 0
        }
      }),

    devmode: (printerName) => withPrinter(printerName, (handle) => documentProperties(handle, printerName, null)),

    mergeDevmode: (printerName, devmode) =>
      withPrinter(printerName, (handle) => documentProperties(handle, printerName, devmode)),

    async startRaw(printerName, { name, datatype }): Promise<RawDocument> {
      const handle = await openPrinter(printerName)
      const close = () => call.run(ClosePrinter, handle)
      const info = { pDocName: name, pOutputFile: null, pDatatype: datatype }
      const { result: jobId, error } = await call.run(StartDocPrinterW, handle, 1, info)
      if (jobId === 0) {
        await close()
        throw new WinspoolError('StartDocPrinterW', error)
      }
      return {
        jobId,
        async write(bytes) {
          const written = [0]
          await call.runChecked('WritePrinter', WritePrinter, handle, bytes, bytes.length, written)
          return written[0] ?? 0
        },
        async end() {
          await call.runChecked('EndDocPrinter', EndDocPrinter, handle)
          await close()
        },
        async abort() {
          await call.run(AbortPrinter, handle)
          await close()
        },
      }
    },

    enumJobs: (printerName) =>
      withPrinter(printerName, async (handle) =>
        types.readJobs(...(await enumerateItems('EnumJobsW', EnumJobsW, handle, 0, ALL_JOBS, 2))),
      ),

    setJob: (printerName, jobId, command) =>
      withPrinter(printerName, (handle) =>
        call.runChecked('SetJobW', SetJobW, handle, jobId, 0, null, JOB_COMMANDS[command]),
      ),
  }
}

export type Call = ReturnType<typeof createCall>

function createCall(koffi: Koffi) {
  const GetLastError = koffi.load('kernel32.dll').func('__stdcall', 'GetLastError', 'uint32', [])

  /** @returns the result of the function, and the value of GetLastError after it. */
  const run = (foreign: Foreign, ...parameters: unknown[]) =>
    new Promise<{ result: number; error: number }>((resolve, reject) => {
      foreign.async(...parameters, (failure: Error | null, result: number) => {
        if (failure) reject(failure)
        else resolve({ result, error: GetLastError() })
      })
    })

  return {
    run,

    /** @throws WinspoolError for a result of 0 or less. */
    async runChecked(name: string, foreign: Foreign, ...parameters: unknown[]): Promise<void> {
      const { result, error } = await run(foreign, ...parameters)
      if (result <= 0) throw new WinspoolError(name, error)
    },
  }
}
