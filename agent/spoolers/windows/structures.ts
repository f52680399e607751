/**
 * The memory layout of structures of Windows (64 bit), and the values that are read from them. The texts of a list are
 * in the buffer of the list and are referenced by pointers, so the buffer must not move before they are read.
 */
import type koffi from 'koffi'
import type { TypeObject } from 'koffi'
import type { JobInfo, PrinterInfo } from './winspool.ts'

export function defineStructures({ struct, decode, array }: typeof koffi) {
  const SYSTEMTIME = struct({
    wYear: 'uint16',
    wMonth: 'uint16',
    wDayOfWeek: 'uint16',
    wDay: 'uint16',
    wHour: 'uint16',
    wMinute: 'uint16',
    wSecond: 'uint16',
    wMilliseconds: 'uint16',
  })

  const PRINTER_INFO_2W = struct({
    pServerName: 'str16',
    pPrinterName: 'str16',
    pShareName: 'str16',
    pPortName: 'str16',
    pDriverName: 'str16',
    pComment: 'str16',
    pLocation: 'str16',
    pDevMode: 'uintptr',
    pSepFile: 'str16',
    pPrintProcessor: 'str16',
    pDatatype: 'str16',
    pParameters: 'str16',
    pSecurityDescriptor: 'uintptr',
    Attributes: 'uint32',
    Priority: 'uint32',
    DefaultPriority: 'uint32',
    StartTime: 'uint32',
    UntilTime: 'uint32',
    Status: 'uint32',
    cJobs: 'uint32',
    AveragePPM: 'uint32',
  })

  const JOB_INFO_2W = struct({
    JobId: 'uint32',
    pPrinterName: 'str16',
    pMachineName: 'str16',
    pUserName: 'str16',
    pDocument: 'str16',
    pNotifyName: 'str16',
    pDatatype: 'str16',
    pPrintProcessor: 'str16',
    pParameters: 'str16',
    pDriverName: 'str16',
    pDevMode: 'uintptr',
    pStatus: 'str16',
    pSecurityDescriptor: 'uintptr',
    Status: 'uint32',
    Priority: 'uint32',
    Position: 'uint32',
    StartTime: 'uint32',
    UntilTime: 'uint32',
    TotalPages: 'uint32',
    Size: 'uint32',
    Submitted: SYSTEMTIME,
    Time: 'uint32',
    PagesPrinted: 'uint32',
  })

  const DOC_INFO_1W = struct({ pDocName: 'str16', pOutputFile: 'str16', pDatatype: 'str16' })

  const DOCINFOW = struct({
    cbSize: 'int32',
    lpszDocName: 'str16',
    lpszOutput: 'str16',
    lpszDatatype: 'str16',
    fwType: 'uint32',
  })

  const decodeList = (type: TypeObject, buffer: Buffer, count: number) =>
    count === 0 ? [] : decode(buffer, array(type, count))

  return {
    PRINTER_INFO_2W,
    JOB_INFO_2W,
    DOC_INFO_1W,
    DOCINFOW,

    readPrinters: (buffer: Buffer, count: number): PrinterInfo[] =>
      decodeList(PRINTER_INFO_2W, buffer, count).map(
        (info: Record<string, string | null> & { Attributes: number; Status: number }) => ({
          name: info.pPrinterName ?? '',
          port: info.pPortName ?? '',
          driver: info.pDriverName ?? '',
          attributes: info.Attributes,
          status: info.Status,
        }),
      ),

    readJobs: (buffer: Buffer, count: number): JobInfo[] =>
      decodeList(JOB_INFO_2W, buffer, count).map((info: RawJob) => ({
        id: info.JobId,
        document: info.pDocument ?? '',
        status: info.Status,
        statusText: info.pStatus ?? '',
        sizeBytes: info.Size,
        submittedAtMs: toMilliseconds(info.Submitted),
      })),
  }
}

interface RawJob {
  JobId: number
  pDocument: string | null
  pStatus: string | null
  Status: number
  Size: number
  Submitted: Record<'wYear' | 'wMonth' | 'wDay' | 'wHour' | 'wMinute' | 'wSecond' | 'wMilliseconds', number>
}

const toMilliseconds = ({ wYear, wMonth, wDay, wHour, wMinute, wSecond, wMilliseconds }: RawJob['Submitted']) =>
  Date.UTC(wYear, wMonth - 1, wDay, wHour, wMinute, wSecond, wMilliseconds)
